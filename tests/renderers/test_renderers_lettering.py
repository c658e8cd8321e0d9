"""Letters: every text is written in signs that its face has."""

from renderers.lettering import written


def test_what_a_face_does_not_have_is_written_with_what_it_has():
    assert written("The Abbot’s “Donkeys”", "title") == 'The Abbot\'s "Donkeys"'
    assert written("The Abbot’s Donkeys", "italic") == "The Abbot’s Donkeys"
    assert written("Ålesund 龍 hill", "title").replace("Å", "A") == "Alesund  hill"
    assert written("plain", "title") == "plain"
