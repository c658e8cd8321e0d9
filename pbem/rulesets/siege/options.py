"""Optional rules and differences between editions: for each its values, the default first, and the rules it
touches.

Most are one question inside one rule, which reads ``rules.setting(name)``; an option that changes what is
listed is an amendment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from pbem.core.ruleset import Option

YES_NO = ("true", "false")
NO_YES = ("false", "true")

OPTIONS: Mapping[str, Option[Any]] = {
    "advance_limit": Option(
        ("half_allowance", "fixed_2_foot_3_mounted"),
        ("S1.73b", "EN1.73a"),
        "how far a victor may go forward after combat",
    ),
    "advance_past_enemy_wound_roll": Option(
        NO_YES,
        ("EN1.73c",),
        "an advance past an enemy is allowed, at the risk of a wound",
        conflicts=("advance_stop_condition",),
    ),
    "advance_stop_condition": Option(
        ("enters_hex_adjacent_to_enemy", "was_adjacent_before_advance"),
        ("S1.73d",),
        "when an advance is limited to one hex",
        conflicts=("advance_past_enemy_wound_roll",),
    ),
    "advance_through_stunned_enemy": Option(
        NO_YES, ("EN1.73b",), "an advance may pass through a stunned enemy"
    ),
    "battlement_melee_modifier": Option(
        ("0", "+"), ("S1.1c",), "what the battlements are worth to those who defend themselves on them"
    ),
    "castle_defenders_immune_to_panic": Option(
        YES_NO, ("S6.1x",), "the defenders of a castle do not panic inside it"
    ),
    "drawbridge_with_horse": Option(
        ("winch_blocked", "horse_killed_rider_falls"),
        ("S1.8h",),
        "what becomes of a drawbridge that is raised under a horse",
    ),
    "arrow_slit_line": Option(
        ("hex_row_through_aperture", "any_line_through_aperture_side"),
        ("S1.45b",),
        "from where one can hit who is behind an arrow slit",
    ),
    "ballista_interrupted_count": Option(
        ("restart", "pause"),
        ("S3.41c",),
        "what becomes of the loading of a ballista whose crew leaves it: it begins anew, or goes on later",
    ),
    "ballista_starts_loaded": Option(
        NO_YES, ("S3.41a",), "ballistae stand loaded at the beginning of the game"
    ),
    "first_missile_phase": Option(
        ("single", "foot_archers_then_others"),
        ("EN1.21a",),
        "whether bowmen on foot shoot before all others in the first shooting phase",
    ),
    "full_turn_action_end": Option(
        ("own_phase_5", "start_of_next_own_turn"),
        ("S1.8b", "S3.33a", "S5.11f"),
        "when work that takes a whole turn is done",
    ),
    "flammable_objects": Option(
        ("tents_and_engines", "tents_engines_wagons_mantlets_ladders"),
        ("S3.51e",),
        "what can burn: tents and siege engines, or other gear of wood too",
    ),
    "friend_adjacent_ban_scope": Option(
        ("downward_shots", "all_shots"),
        ("S1.44g",),
        "which shots at enemies next to own figures are forbidden",
    ),
    "friendly_fire": Option(
        ("ban_next_to_friend", "errare_humanum_est"),
        ("S1.44g", "S6.21a", "S6.21b"),
        "whether shots at enemies next to own figures are forbidden, or may hit those",
    ),
    "interrupt_policy": Option(
        ("standing_orders", "ask_owner"),
        ("S1.53b", "S1.72g", "S1.72o", "S1.73a", "S3.54a", "S6.1h", "S6.1k"),
        "how the choices of a side are made that standing instructions leave open",
    ),
    "keep_wall_condition": Option(
        ("last_step_needs_damaged_neighbour", "needs_destroyed_neighbour", "none"),
        ("S4.21f",),
        "what a wall of the keep needs beside it before it can be destroyed",
    ),
    "ladder_climb_and_cross": Option(
        ("if_mp_suffice", "forbidden", "ordinary_walls_only"),
        ("S1.93f", "EN1.93a"),
        "whether one climbs a ladder and steps over in one turn",
    ),
    "ladder_haul": Option(NO_YES, ("EN1.91a",), "two men on the wall may pull a ladder up, or let one down"),
    "ladder_melee_modifier": Option(
        ("-", "0"), ("S1.93e", "S1.1j"), "what a ladder is worth to those who fight on it"
    ),
    "ladder_placement": Option(
        ("in_ladder_hex", "in_or_next_to_ladder_hex"),
        ("S1.91e",),
        "where a ladder that was carried is set up",
    ),
    "ladder_shooting": Option(YES_NO, ("S1.93c",), "bowmen may shoot from ladders"),
    "line_of_fire": Option(
        ("centre_to_centre", "any_part"),
        ("S1.41b",),
        "between which points of two hexes the line of fire is drawn",
    ),
    "line_on_hex_edge": Option(
        ("either_hex_blocks", "both_hexes_block"),
        ("S1.41d",),
        "what blocks a line that runs along a hexside or through a corner",
    ),
    "missile_target_split": Option(
        ("knights_vs_others", "mounted_vs_foot"), ("S1.3c",), "which targets the two shooting tables are for"
    ),
    "mixed_defender_group": Option(
        ("reject", "mounted_table", "foot_table"),
        ("S1.72m",),
        "which table is read where riders and figures on foot are attacked together",
    ),
    "moat_climb_out_cost": Option(
        ("destination_terrain", "4"), ("S1.1g",), "what it costs to climb out of a moat"
    ),
    "mounted_geometry": Option(
        ("head_leads_tail_follows", "free_pair"), ("S3.31c",), "how figures of two hexes go and turn"
    ),
    "movement_allowances": Option(
        ("printed", "croisades"), ("S1.6a", "EN1.6a"), "which movement allowances are in force"
    ),
    "multi_vs_multi": Option(
        ("reject", "allow_if_all_adjacent"),
        ("S1.72l",),
        "whether several figures may attack several in one combat",
    ),
    "odds_below_one": Option(
        ("impossible", "treat_as_1_1"), ("S1.7g",), "what becomes of attacks at odds below 1:1"
    ),
    "odds_shift_floor": Option(
        ("clamp_to_1_1", "attack_impossible"),
        ("S1.71c",),
        "what becomes of attacks that terrain shifts below 1:1",
    ),
    "panic_and_rout": Option(
        NO_YES, ("S6.1a", "S6.1g"), "whether the death of a man may send others of his side running"
    ),
    "pass_through_stunned_enemy": Option(
        NO_YES, ("S1.61a",), "figures may pass through hexes with stunned enemies"
    ),
    "ram_vs_bombarded_wall_drm": Option(
        ("-1", "0", "1"),
        ("S4.32f",),
        "what is added to the die of a ram that strikes a wall which was bombarded before",
    ),
    "plunging_radius_applies_to": Option(
        ("obstacles", "targets"),
        ("S1.44e", "S1.44f", "S1.44l", "S2.43a"),
        "what must lie near under who shoots down, that nothing lower is in his "
        "way: what is between, or the target",
    ),
    "retreat_model": Option(
        ("one_hex_blocked_wounds", "one_hex_blocked_stays"),
        ("S1.72o", "E7.1e"),
        "what becomes of a beaten figure that cannot give way",
    ),
    "rubble_melee_modifier": Option(("0", "-"), ("S2.33e",), "what rubble is worth to those who fight on it"),
    "scrub_slope_cost_mounted": Option(
        ("2", "4"), ("S3.1a", "S3.1c"), "how many points scrub and slopes cost a horse"
    ),
    "shooter_skill": Option(
        NO_YES, ("S6.22c", "S6.22d"), "each shooter has a skill, which is added to his dice"
    ),
    "slope_cover": Option(
        ("medium_slope_light_crest", "medium_always", "light_at_crest_only"),
        ("S3.1c", "S3.23e"),
        "what cover slopes and their edges give",
    ),
    "stun_on_wounded": Option(("killed", "no_effect"), ("CH0.2e",), "what a stun does to a wounded figure"),
    "stunned_blocks_fire": Option(YES_NO, ("S1.42b",), "stunned figures are in the way of shots"),
    "topple_from_below": Option(NO_YES, ("EN1.94a",), "ladders may be toppled from the ground beside them"),
    "topple_requires_no_move": Option(YES_NO, ("S1.94b",), "who has moved topples no ladder in that turn"),
    "tower_slit_plunging_range": Option(
        ("8", "0"), ("EN1.44a",), "how many hexes far one overlooks what is lower from a slit of a tower"
    ),
    "two_openings_block": Option(
        YES_NO, ("EN1.43b", "EN1.43c"), "a line of fire may not cross two doorways, gateways or windows"
    ),
}
OF_SIEGE: Mapping[str, Option[Any]] = {
    "two_openings_block": replace(OPTIONS["two_openings_block"], values=NO_YES)
}
"""What is otherwise in a game of Siege: an addition of Cry Havoc is off there until it is chosen."""

EDITIONS: Mapping[str, Mapping[str, str]] = {
    "french": {},
    "english": {
        "first_missile_phase": "foot_archers_then_others",
        "line_of_fire": "any_part",
        "odds_below_one": "treat_as_1_1",
        "topple_requires_no_move": "false",
    },
    "croisades": {
        "advance_limit": "fixed_2_foot_3_mounted",
        "advance_past_enemy_wound_roll": "true",
        "advance_through_stunned_enemy": "true",
        "ladder_climb_and_cross": "forbidden",
        "movement_allowances": "croisades",
        "pass_through_stunned_enemy": "true",
        "stunned_blocks_fire": "false",
    },
    "siege-extension": {
        "ladder_climb_and_cross": "ordinary_walls_only",
        "ladder_haul": "true",
        "topple_from_below": "true",
    },
}
"""Edition -> where it differs from the defaults, which are those of the French rules.

The extension sets differ in ladders alone.
"""
