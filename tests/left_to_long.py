"""Tests that `make test` leaves to `make long`: dear ones that are each one of many alike.

Every promise keeps at least one test in `make test`. What is left out here stands beside a test of
the same promise that is not: another button of the same form, the same program once more, a further kill.
A test that is dear by itself, and alone of its kind, is marked `long` where it stands.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import pytest

LEFT: Final[Mapping[str, Mapping[str, str]]] = {
    "Another program is started, and it was tried with one that does the same": {
        "tests/storage/accounts/test_install_states.py": (
            "one_process_ends_each_installation[sqlite]"
        ),
        "tests/storage/accounts/test_installations.py": (
            "killed_rotation_can_be_repeated[postgres]"
        ),
        "tests/storage/durable/test_durable_steps.py": (
            "kill_loses_only_the_current_step[sqlite] "
            "passing_outage_still_gives_answer[sqlite-error1] "
            "passing_outage_still_gives_answer[postgres-error1]"
        ),
        "tests/storage/models/test_permit_rows.py": "processes_share_one_call_limit[sqlite]",
    },
    "Another way to be no document, or to be locked up, of the same child": {
        "tests/masis/documents/parsing/sandbox/test_pool.py": (
            "invalid_reply_counts_as_crash[all at once] invalid_reply_counts_as_crash[boast] "
            "invalid_reply_counts_as_crash[portion] invalid_reply_counts_as_crash[portions] "
            "child_has_no_network_or_files[start] child_has_no_network_or_files[write]"
        ),
    },
    "The same command once more, with something else said or wanted": {
        "tests/bot/cli/doctor/test_doctor.py": (
            "surplus_vectors_are_found documents_of_older_readers_are_told "
            "single_team_can_be_checked workspaces_beyond_limit_are_counted"
        ),
        "tests/bot/cli/documents/test_documents.py": "one_wrong_name_prevents_deletion",
        "tests/bot/cli/documents/test_ingest.py": (
            "unchanged_files_are_reread_on_request duplicate_bytes_are_reported "
            "other_embedder_changes_nothing"
        ),
        "tests/bot/cli/operations/test_purge_command.py": (
            "command_line_workspace_is_purged purging_silent_person_changes_nothing "
            "program_words_leave_local_requests[delete] purged_workspace_keeps_the_installation"
        ),
        "tests/bot/cli/questions/test_ask.py": ("two_named_files_give_evidence retries_are_0_to_5"),
        "tests/bot/cli/questions/test_quality.py": (
            "failed_questions_are_kept known_answers_are_counted_per_kind"
        ),
        "tests/bot/cli/questions/test_talk.py": (
            "retold_answer_is_no_question number_chooses_what_is_offered "
            "new_forgets_what_was_before runs_are_kept_in_thread terminal_is_told_what_there_is "
            "refused_line_does_not_end_it wider_without_question_is_refused "
            "sources_show_the_cited_passage"
        ),
        "tests/bot/test_asking_about_a_file.py": (
            "shown_beginning_goes_with_document file_beginning_is_shown_unclaimed[none]"
        ),
        "tests/bot/test_asking_by_fields.py": ("suggested_name_goes_with_document[owner:nobody]"),
        "tests/bot/test_asking_for_a_code.py": "lists_alone_are_told_and_looked_up",
    },
    "A model reads whole pages; another test reads one": {
        "tests/bench/test_fitting.py": "uninformative_signals_get_zero_weight",
        "tests/masis/documents/parsing/test_ocr.py": "scanned_page_is_read_within_limits",
        "tests/masis/documents/parsing/pdf/test_table_headers.py": (
            "stacked_words_stay_outside_table"
        ),
    },
    "A further walk through an office that others walk through": {
        "tests/walks/test_api_walk.py": "api_questions_stay_out_of_slack[True]",
        "tests/walks/test_model_walk.py": (
            "invented_citation_stays_marked refused_key_gives_advice_without_key[403] "
            "missing_service_is_named"
        ),
        "tests/walks/test_playground_walk.py": "browser_completes_a_whole_visit",
        "tests/walks/test_slack_answers.py": (
            "running_retry_is_shown a_table_stays_a_table unsourced_claims_are_counted_and_named "
            "medium_score_shows_medium_badge"
        ),
        "tests/walks/test_slack_attached.py": (
            "file_without_question_is_told reply_reads_the_file_again "
            "shortcut_reads_files_of_message"
        ),
        "tests/walks/test_slack_authority.py": "manager_reply_counts_after_slack_error",
        "tests/walks/test_slack_clarification.py": (
            "empty_workspace_awaits_no_reply unaudited_draft_can_be_cancelled "
            "conflict_is_settled_when_asked_again follow_up_of_a_reply_knows_the_question "
            "undelivered_expiry_is_repeated[is_archived-0] rounds_continue_after_a_failure "
            "early_message_is_no_reply"
        ),
        "tests/walks/test_slack_conversations.py": "a_thread_of_ten_turns",
        "tests/walks/test_slack_joining.py": (
            "long_thread_is_cut_and_said unreadable_thread_is_answered_without[internal_error] "
            "unreadable_thread_is_answered_without[channel_not_found] own_thread_is_not_read "
            "pointing_at_others_asks_theirs[can you help?]"
        ),
        "tests/walks/test_slack_lifecycle.py": (
            "late_uninstallation_event_spares_reinstallation uninstallation_events_may_be_reordered"
        ),
        "tests/walks/test_slack_outages.py": (
            "index_wait_is_shown embedding_outage_hides_service_address "
            "vector_lock_hides_its_folder"
        ),
        "tests/walks/test_slack_reading.py": (
            "home_tab_lists_documents_to_reupload wider_search_uses_retry_limits "
            "documents_are_listed_in_pages"
        ),
        "tests/walks/test_slack_refusals.py": (
            "non_question_gets_instructions absent_bot_replies_by_direct_message "
            "archived_channel_starts_no_search"
        ),
        "tests/walks/test_slack_stops.py": "command_and_slack_button_stop_question",
        "tests/walks/test_slack_uploads.py": (
            "bad_message_file_is_explained retried_upload_is_logged_once"
        ),
        "tests/walks/test_teams_admin.py": (
            "manager_is_named_and_then_links own_chat_says_what_it_asks "
            "own_chat_asks_what_was_chosen"
        ),
        "tests/walks/test_teams_conversations.py": (
            "long_answer_goes_on_in_a_dialog refused_targeting_is_told_in_own_chat "
            "personal_chat_asks_the_members_workspace welcome_offers_what_is_answered "
            "archived_and_deleted_are_silent"
        ),
        "tests/walks/test_teams_outages.py": (
            "lost_notice_is_told_again[504] lost_notice_is_told_again[429] "
            "lost_notice_is_told_again[dropped] unknown_team_holds_no_acknowledgement "
            "limited_connector_holds_no_acknowledgement slow_form_is_answered_in_time "
            "reply_read_again_is_no_command"
        ),
        "tests/walks/test_teams_personal.py": (
            "own_question_begins_anew commands_are_no_questions"
        ),
        "tests/walks/test_teams_playground.py": (
            "forms_are_filled_in_line_by_line client_lists_who_may_be_chosen who_presses_is_named"
        ),
        "tests/walks/test_teams_threads.py": (
            "conflict_is_settled_by_a_mention chart_stands_in_its_card"
        ),
    },
}
"""By reason and file, the names of tests without their `test_`, with the case where it is one."""


def named() -> Iterator[str]:
    """Give each test that is left, as pytest names it."""
    for files in LEFT.values():
        yield from _names_of(files)


def mark(items: Iterable[pytest.Item]) -> None:
    """Mark what is left to `make long`."""
    left = set(named())
    for item in items:
        if item.nodeid in left or item.nodeid.partition("[")[0] in left:
            item.add_marker(pytest.mark.long)


def _names_of(files: Mapping[str, str]) -> Iterator[str]:
    """Give each test of a table as pytest names it."""
    for file, names in files.items():
        for name in names.replace("] ", "]\n").splitlines():
            whole, bracket, case = name.partition("[")
            *others, last = whole.split(" ")
            yield from (f"{file}::test_{each}" for each in others)
            yield f"{file}::test_{last}{bracket}{case}"
