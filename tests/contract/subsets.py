"""Which stores a promise is checked on, and why not on all.

SQLite and a MongoDB server keep every promise. The others are there for a part of it.
"""

NOT_ON_MONGOMOCK = {
    # It takes a partial unique index for a full one.
    "test_a_claim_uses_up_the_once_actions_of_its_group",
    "test_actions_without_a_group_do_not_exclude_each_other",
    # It keeps nothing when it is closed.
    "test_everything_is_there_after_a_restart",
    "test_what_was_acknowledged_outlives_a_kill",
    # It has no `$indexOfCP`.
    "test_entries_are_found_by_direction_category_and_part_of_the_item",
    "test_a_changed_entry_rises_in_revision_and_keeps_the_rest",
    "test_an_item_is_found_in_any_spelling",
    "test_an_item_may_have_to_hold_several_parts_in_any_order",
}
"""Races are left out too: it answers at once, so nothing races."""

ON_MOTOR = {
    "test_a_batch_without_calls_is_a_batch",
    "test_a_summary_that_covers_more_takes_the_place_of_the_stored_one",
    "test_how_such_a_call_ended_is_kept_and_done_stays_done",
    "test_conversations_are_told_apart_latest_first",
    "test_a_claim_uses_up_the_once_actions_of_its_group",
    "test_a_commit_stores_all_that_the_turn_leaves_behind",
    "test_a_file_of_the_largest_size_is_kept",
    "test_a_firing_stores_delivery_message_and_actions_and_moves_on",
    "test_a_hash_stays_with_its_first_user",
    "test_an_outbox_id_is_queued_once",
    "test_everything_is_there_after_a_restart",
    "test_of_racing_commits_to_one_session_exactly_one_wins",
    "test_old_files_are_purged_unless_a_turn_has_attached_them",
    "test_order_holds_per_chat_and_class",
    "test_purging_empties_the_bodies_of_old_finished_rows_only",
    "test_racing_first_sights_make_one_person",
    "test_racing_items_get_places_of_their_own",
    "test_racing_sentences_are_all_kept",
    "test_totals_are_by_currency_and_direction_largest_first",
}
"""At least one promise of each port, and each call that the two drivers answer differently."""


def is_checked(store: str, test: str) -> bool:
    """Return whether this test runs on this store."""
    if store == "motor":
        return test in ON_MOTOR
    if store == "mongomock":
        return test not in NOT_ON_MONGOMOCK and "racing" not in test
    return True
