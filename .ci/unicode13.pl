#!/usr/bin/env perl
# Prints the letters of Unicode 13.0, and those of them that are combining marks, as pbem/core/normal.py and both verifiers have them:
# how many code points are not, then how many are, and so on; each number in base 26, a to z, its last digit in capitals.
# Any Perl from 5.32 on, which knows the age of each letter, prints the same:  perl .ci/unicode13.pl
use strict;
use warnings;

sub number {
    my ($n) = @_;
    my $made = chr(65 + $n % 26);
    while ($n = int($n / 26)) { $made = chr(97 + $n % 26) . $made }
    return $made;
}

sub runs {
    my ($is) = @_;
    my ($made, $before, $begun) = ("", 0, 0);
    for my $point (0 .. 0x110000) {
        my $now = $point < 0x110000 && $is->($point) ? 1 : 0;
        next if $now == $before;
        $made .= number($point - $begun);
        ($before, $begun) = ($now, $point);
    }
    return $made;
}

no warnings;    # surrogates and noncharacters are asked about too
my $assigned = sub { my $c = chr($_[0]); ($_[0] >= 0xd800 && $_[0] <= 0xdfff) || ($c =~ /\p{Present_In: 13.0}/ && $c !~ /\p{Cn}/) };
my $mark = sub { $assigned->($_[0]) && chr($_[0]) =~ /\p{M}/ };
for my $one (["assigned", $assigned], ["marks", $mark]) {
    print "$one->[0]\n", join("\n", unpack("(A128)*", runs($one->[1]))), "\n";
}
