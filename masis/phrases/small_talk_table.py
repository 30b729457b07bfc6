"""List the phrases of small talk, by what they are; see `masis.phrases.closed_phrases` for their form."""

from typing import Final

from masis.phrases.closed_phrases import Phrases
from masis.text.given_names import GIVEN_NAMES

_CLASSES: Final = {
    "GOOD": "good|great|nice|lovely|wonderful|fantastic|super|fab|pleasant|excellent|fine|relaxing",
    "PART": "morning|afternoon|evening",
    "TIME": "day|morning|afternoon|evening|weekend|week|night|one|time|rest|holiday|break|lunch|trip|vacation|monday"
    "|tuesday|wednesday|thursday|friday|saturday|sunday",
    "FEAST": "friday|monday|christmas|xmas|easter|holidays|birthday|new_year|diwali|eid|thanksgiving|hanukkah",
    "HELP": "help|answer|reply|answers|time|support|assistance|info|information|response|tip|explanation|explaining"
    "|helping|answering|the_help|your_help|your_time|the_info|the_information|the_answer|the_quick_answer|the_tip"
    "|the_quick_reply|the_reply|the_response|the_heads_up|the_clarification|clarifying|checking|looking|sharing"
    "|everything|all_your_help|all_the_help|all_that|your_patience|the_support|letting_me_know|getting_back_to_me"
    "|the_explanation|your_answer|your_reply|your_support|the_update|sorting_that|finding_that|looking_that_up",
    "SMART": "awesome|amazing|great|brilliant|perfect|super|cool|nice|lovely|fab|fabulous|fantastic|wonderful|excellent"
    "|superb|good|helpful|useful|outstanding|impressive|incredible|marvellous|marvelous|magic|neat|sweet|wicked|ace"
    "|grand|splendid|quick|fast|clever|smart|handy|terrific|stellar|sound|tidy|class|fire|legendary|phenomenal"
    "|clear|easy|funny|interesting|kind|interesting_to_know|good_to_know|genius|the_best|great_work|a_great_help"
    "|so_helpful|spot_on|speedy|top|a_relief|reassuring|correct|right",
    "STAR": "star|legend|lifesaver|life_saver|gem|hero|genius|champ|champion|diamond|wizard|superstar|rockstar|angel"
    "|good_bot|great_bot|clever_bot|smart_bot|nice_bot|great_help|big_help|huge_help|good_robot|treasure|saint|pro"
    "|machine|great_assistant|good_assistant|darling|sweetheart|beast",
    "BOT": "bot|robot|machine|computer|computer_program|program|ai|chatbot|chat_bot|llm|language_model|chatgpt|gpt"
    "|human|person|real_person|human_being|real_human|people|real|alive|someone_real|man|woman|boy|girl|fake|app"
    "|thing|tool|assistant|service|virtual_assistant|digital_assistant|script|software|piece_of_software|algorithm",
    "THIS": "this_bot|the_bot|this_thing|this_tool|this_app|masis|this_assistant|the_assistant"
    "|this_chat|this_chatbot|this_channel|this_robot|this_service|this_system",
    "DO": "do|answer|help|help_with|help_me_with|help_us_with|do_for_me|do_for_us|answer_for_me|answer_for_us|know"
    "|do_here|help_me|help_us|tell_me|offer|handle|actually_do|do_exactly|do_then|tell_us|do_for_you|assist_with",
    "LANGUAGE": "english|german|french|spanish|italian|dutch|polish|portuguese|turkish|arabic|hindi|chinese|japanese",
}

_HELLO: Final = """
    hi|hello|hey|hiya|heya|howdy|yo|hola|hallo|bonjour|ciao|moin|servus|salut|ola|namaste|salaam|salam|aloha|oi|gday
    hi hi|hello|hey
    hello|hi|hey from? me?
    greetings|salutations|welcome_back|ahoy|shalom|hullo|sup|wassup|whassup|hej|hei|ahoj|czesc|merhaba|selam|buongiorno
    good|gd PART|day|night_shift
    PART
    top_of_the_morning to_you?
    a?  very? good|happy PART|day to_you?
    guten_morgen|guten_tag|guten_abend|gruss_gott|gruezi|buenos_dias|buenas_tardes|buenas_noches|buenas|bom_dia|boa_tarde
    buona_sera|buonasera|bonsoir|god_morgen|god_dag|goedemorgen|goedemiddag|goedenavond|dzien_dobry|konnichiwa|ni_hao
    你好|您好|こんにちは|おはよう|안녕하세요|안녕|привет|здравствуйте|مرحبا|السلام|नमस्ते|नमस्कार|γεια|שלום|добрый_день
    how are you|u|ya|things doing|going|keeping|feeling? today|this_morning|these_days|doing_today?
    and|so? how are|is you|things|everything|life|it_going|it_all_going|your_day|your_day_going|your_morning|your_week
    hows it|things|everything|life|tricks going?
    hope you|everyone|everybody|all|yous|yall is|are all? keeping|doing? well|ok|okay|good|fine|great|safe|alright
    how was your|the GOOD? TIME|sleep|commute|journey going?
    did you have|get a GOOD|restful TIME|sleep
    did you sleep well|ok|okay|good
    whats_up_doc|yo_yo|hi_everyone_hope_all_is_well|howdy_partner|hello_stranger|hi_stranger|ey_up|alright_mate|wotcha|oy
    hope you are|had|have|all_are all? keeping|doing? well|ok|okay|good|fine|great|safe|alright
    i? hope you had|have|are_having a? GOOD TIME
    i? hope all|everything|things is|are well|good|ok|okay|fine|going_well with_you?
    hope|trust you|all? well|good|ok
    i? trust you are well|ok|good|keeping_well
    how do you do
    what is|s? up|new|going_on|cooking|good
    whats up|new|happening|good
    nice|good|great|lovely|pleased|glad|happy to meet|see|have|be_talking_to you here|again|back|aboard?
    nice meeting|seeing you
    long_time_no_see|knock_knock|rise_and_shine|im_back|i_am_back|me_again|it_is_me|it_is_me_again|only_me|back_again
    happy|merry FEAST to_you|to_you_all|to_all?
    season_greetings|seasons_greetings
    hello_world|hi_masis|hello_masis
    i am|was fine|good|great|ok|well|doing_well|doing_good|alright and_you|and_yourself|how_about_you?
    good|fine|great|well|not_bad|all_good and_you|and_yourself|how_about_you|how_are_you
    quick|small|silly|stupid|random|daft|dumb|another|last|one_more|one_last|little|simple|short question|one|q|query here|for_you|for_u|for_the_team|from_me?
    a|just_a|just|probably_a|maybe_a|really_a|this_is_a|got_a|i_have_a|have_a|i_got_a quick|small|silly|stupid|random|daft|dumb|little|simple|short|very_quick|really_quick question|one|q|query for_you|for_u|for_the_team?
    i|ive have|got? a question for_you|for_u|for_the_team?
    may|can|could i ask you? something|a_question|you_something
    anyone|anybody|someone|somebody there|here|around|home|awake|listening|online
    is anyone|anybody|someone|somebody there|here|around|home|awake|listening|online
    do? you? got|have a_minute|a_min|a_sec|a_second|a_moment|a_mo|a_tick|five_minutes|two_minutes|time|a_bit_of_time you? for_me|for_a_question|for_a_quick_question|to_spare|free|right_now?
    have you got a_minute|a_min|a_sec|a_second|a_moment|a_mo|a_tick|five_minutes|two_minutes|time
    you? got|have you? a_minute|a_min|a_sec|a_second|a_moment|a_mo|a_tick|five_minutes|two_minutes
    hope this_is|its|it_is the? right place|channel|thread to_ask?
"""

_NEWCOMER: Final = """
    first_time_here|first_week_here|first_day_here|my_first_week|my_first_day|it_is_my_first_week|it_is_my_first_day|i_just_started|just_started_here|new_here|i_am_new|i_am_new_here|i_am_new_to_this
"""

_THANKS: Final = """
    thanks|thank_you|cheers|ta|merci|danke|gracias|grazie|obrigado|obrigada|arigato|arigatou|tack|takk|dank_u|dank_je|tak
    danke_schon|danke_dir|vielen_dank|besten_dank|herzlichen_dank|merci_beaucoup|muchas_gracias|grazie_mille|mille_grazie
    dankeschon|dziekuje|shukran|mahalo|kiitos|bedankt|dhanyavaad|xie_xie|xiexie|mange_tak|tusen_takk|tack_sa_mycket
    谢谢|ありがとう|ありがとうございます|감사합니다|спасибо|شكرا|धन्यवाद|ευχαριστώ|תודה|多謝|謝謝
    many|lots_of|loads_of|huge|big|massive|a_thousand|a_million|warm|much|heaps_of|so_many|no|sincere|a_big thanks|thank_you
    thanks|thank_you for nothing|being_you|being_there|being_so_helpful|being_so_quick|coming_back_to_me|coming_back|the_laugh|trying|that_one|your_kindness|your_effort|your_hard_work|the_link|the_links|the_details|the_source|the_sources|the_pointer|confirming|the_confirmation|the_reminder|understanding|your_understanding|your_patience_with_me|all_of_this|all_this|the_good_work|the_quick_help|the_quick_response|the_fast_reply|the_fast_answer|the_swift_reply|the_prompt_reply|the_speedy_reply|the_great_help
    thanks|thank_you for HELP
    thanks|thank_you ever? so|very|really much|kindly?
    thanks|thank_you a|so_very|very|an_awful ton|bunch|lot|lots|million|mill|bundle|heap|load|much|thousand
    thanks|thank_you so_much|very_much|a_lot|a_million|a_bunch for HELP
    that|this|it is|was all|exactly|just? what i needed|wanted|was_looking_for|was_after|meant|need|want
    i|we really|very_much|do|so|greatly? appreciate it|that|this|you|the_help|your_help|any_help|all_your_help|your_time
    appreciate it|that|you|the_help|your_help|any_help
    much|greatly|really|highly? appreciated
    any|all|your help|advice|pointers|thoughts is|would_be|very|much|greatly|is_much|much_very? appreciated|welcome
    much_obliged|i_am_grateful|so_grateful|very_grateful|bless_you|god_bless|kudos|props|hats_off|chapeau|i_owe_you|i_owe_you_one
    please_and_thank_you|thanking_you|with_thanks|thanks_anyway|thank_you_anyway|no_thanks|no_thank_you
    thank you|u
    kind|best|warm|many regards|wishes
    regards|sincerely|yours_sincerely|respectfully
    that|this|it has|have? really|totally|definitely|certainly|sure|just? helped|helps|works|worked|explains_it|clears_it_up|cleared_it_up|did_the_trick|does_the_trick|makes_sense|made_sense|answers_it|answered_it|answers_my_question|answered_my_question|solved_it|solves_it|made_my_day|makes_my_day|saved_me|saved_my_day|saves_me_time|sorted_it
    that|this|it helped|helps me|us? a? lot|much|out|loads|tons|massively|a_lot|so_much|a_great_deal|a_ton
    i|we really? like|love|loved|liked|enjoyed it|that|this|you|this_bot|the_answer|your_answer
    love|loved|like it|that|this|you
    you|u have? really? helped|saved me|us|me_out|us_out|my_day|my_life|my_bacon|the_day a_lot|so_much|out?
    you have been|were very|really|so|most|super|incredibly? helpful|great|kind|useful|a_great_help|a_big_help|a_star
    very|so|really|super|extremely|most|incredibly helpful|useful|kind|kind_of_you
    just what i needed|wanted|was_looking_for|was_after
    exactly what i needed|wanted|was_looking_for|was_after|meant
"""

_PRAISE: Final = """
    awesome|amazing|great|brilliant|perfect|super|cool|nice|lovely|fab|fabulous|fantastic|wonderful|excellent|superb|good
    helpful|useful|outstanding|impressive|incredible|marvellous|marvelous|neat|sweet|wicked|ace|splendid|clever|terrific
    stellar|genius|legendary|phenomenal|spot_on|good_to_know|interesting_to_know|the_best|so_helpful|great_work|speedy|magic
    awesome_sauce|high_five|fist_bump|cool_beans|wow|job_done|legend|lifesaver|life_saver|champ|superstar|rockstar
    good|great|nice|awesome|amazing|excellent|fantastic|brilliant|impressive|cracking|fine|fab|solid job|one|talk|chat|talking|chatting|work|stuff|bot|answer|find|effort|robot|result|going|catch|thinking|response
    GOOD one
    a|an? very|really|so|super|pretty|that|just|most|too|totally|absolutely|quite|well|truly|dead SMART
    well_done|way_to_go|nailed_it|you_nailed_it|bravo|hooray|hurray|hurrah|congrats|congratulations|yeah_baby|bingo|bullseye|woo_hoo|boom|top_notch|first_class|five_stars|ten_out_of_ten|full_marks|10_10|a_plus|chefs_kiss|mind_blown|good_boy|good_girl|keep_it_up|keep_up_the_good_work|nice_work|great_stuff|good_stuff|not_bad|not_bad_at_all|that_is_more_like_it
    you|your are|were? so|really|very|just|the|such|doing|truly|absolutely|quite|pretty|too? SMART|well|best|great|clever|good_at_this|the_best|sharp
    you|your are|were? a|an|such_a|such_an|my|an_absolute|a_real|a_total|the|a_complete|pure|truly_a|an_actual|a_true STAR
    you rock|rule|win|did_it|got_it|did_well|did_great|did_good|do_well|are_doing_well|are_on_fire|nailed_it|made_my_day|beauty|legend|star|genius|know_your_stuff
    what a STAR|great_answer|good_answer|relief|nice_answer|machine
    that|this|it|which is|was|are|looks|sounds|seems a|an|so|very|really|super|pretty|just|the|absolutely|most|too|quite|all|awfully|a_very|a_really|incredibly|amazingly|surprisingly? SMART|quick_one|great_answer|good_answer|nice_one|good|great_help|big_help|best|quick_work|good_job|great_job|nice_job|a_great_answer|clearer|better
    how SMART
    i am|was so? impressed|amazed|grateful|happy|delighted|glad|relieved
    impressed|impressive|amazed|im_impressed|excellent_service|great_service|good_service
"""

_BYE: Final = """
    bye|goodbye|cya|tschuss|tschues|adios|cheerio|toodles|toodle_pip|ta_ta|farewell|so_long|laters|ttyl|ttfn|tata|adieu|ade
    bye bye|now|for_now|then
    good|gd? bye
    auf_wiedersehen|bis_bald|bis_dann|bis_morgen|bis_spater|au_revoir|a_bientot|hasta_luego|hasta_la_vista|hasta_manana|arrivederci|do_widzenia|sayonara|schonen_tag|schonen_abend|schonen_feierabend|schones_wochenende|feierabend|tot_ziens|doei|ciao_ciao|hej_da|ha_det|peace_out|over_and_out|signing_off|logging_off|gute_nacht
    再见|さようなら|пока|до_свидания|مع_السلامة|안녕히
    see|c|catch|speak|talk|chat|till|until you|ya|u|to_you|to_ya|to_u|with_you? soon|later|tomorrow|tmrw|next_week|monday|on_monday|around|then|again|next_time|again_soon|tonight|later_on|again_tomorrow|on_tuesday|on_wednesday|on_thursday|on_friday|next_year
    see|catch you|ya|u
    have|enjoy a|an|your|the|yourself GOOD|really_good|really_nice|very_nice|very_good|really_great|safe? TIME
    have|enjoy a|an|your|the GOOD|lovely? rest_of_the|rest_of_your|rest_of TIME
    have fun|a_good_one|a_nice_one|a_great_one|a_good_rest|yourself_a_GOOD_day
    enjoy yourself|your_evening|your_day|your_weekend|the_weekend|your_lunch|your_holiday|the_rest_of_your_day
    a? GOOD weekend|evening|night|day all|everyone|everybody|team?
    happy weekend
    good_night|night|night_night|nighty_night|gn|sleep_well|sleep_tight|sweet_dreams|nite|goodnight
    take_care|take_it_easy|stay_safe|keep_well|look_after_yourself|be_well|all_the_best|best_wishes|safe_travels|good_luck|godspeed|safe_journey|mind_how_you_go|until_next_time|till_next_time|until_then
    that|this|it is|was|will_be|s|would_be|ll_be? all|it|everything|me_done|us_done|enough|me i_need|i_needed|from_me|for_now|for_today|then|we_need|i_wanted|i_have|needed|from_my_side|done|from_us|i_wanted_to_know|for_me?
    that|this is|was|will_be all|it|everything from_me|i_need|i_wanted? for_today|for_now|today|now|then
    i|we am|are|m done|off|sorted|finished|good|all_set|all_sorted|all_good|off_now|gone|out|leaving|going_home|heading_home|logging_off|heading_off|off_home for_today|for_now|now|then|here|to_lunch|to_bed?
    i have|got|ve_got to|2 go|run|dash|leave now?
    gotta|got_to|must|need_to|have_to go|run|dash|be_off|leave now?
    got_to_go|gtg|g2g|brb|afk|bbl|be_right_back|back_soon|back_later|bbs|call_it_a_day|calling_it_a_day|time_to_go|time_to_go_home|off_to_lunch|off_home|off_now|going_home|off_to_bed
    no|nothing|no_more|nothing_more|no_further|nothing_else|no_other more|else|further|other? questions|question|queries for_now|for_today|today|from_me|from_my_side|right_now|at_the_moment|to_ask?
    nothing else|more|further for_now|for_today|from_me|right_now|thanks|today?
"""

_ABOUT: Final = """
    and|so? who|what are you|u then|exactly|really|again|anyway|actually|even|bot|called|for|made_of|made_for|good_at|good_for|capable_of|built_for|here_for|able_to_do|able_to_answer|able_to_help_with|doing_here|there_for|not_able_to_do|about?
    who|what is THIS then|exactly|about|for|called|good_for|anyway|all_about|supposed_to_do|meant_for|used_for?
    what do|should|can|shall|must|may i|we call|name you|u
    what are|is your capabilities|skills|abilities|limits|limitations|features|functions|strengths|weaknesses|hobbies|pronouns|rules|plans|plans_today|talents
    which languages|language do|can you speak|understand|know|support|talk
    what does THIS do|know|answer|cover exactly|then|for_me|for_us|actually?
    what can|could|do|does|would|will|cant|cannot|can_not you|u|THIS actually|even|all|possibly? DO
    what do you know|do|know_about|answer|cover|offer
    what cant|cannot|can_not you do|answer
    what are|is you|u|it able to do|answer|help_with|tell_me for me|us
    what kind|sort|kinds|sorts|type|types of questions|things|stuff can|do|could|should i|we|you ask|answer|ask_you|handle|know|help_with|cover|do
    what|which questions|things|topics|subjects|stuff|areas can|do|could|should i|we|you ask|answer|ask_you|handle|know|help_with|cover|do|know_about|ask_about|deal_with|understand
    what can|could|do|should|may|might i|we|one|people|you ask|use_you_for|do_here|do_with_you|use_this_for|ask_about|do_with_this|ask_for|find_here|ask_here you|u|here|this_bot|the_bot|masis|about?
    what should i type|write|say|ask|do here|to_you|first|now?
    how do|can|should|could|would|must|am|may i|we|one|people|you|to use|ask|work_with|talk_to|ask_a_question|ask_questions|get_help|ask_you|interact_with|communicate_with|start_with|speak_to|get_the_best_out_of|make_use_of you|u|THIS|with_you|with_this|here|you_a_question|a_question|you_something|something|you_questions?
    how to use|ask|work_with|talk_to you|u|THIS|with_you|with_this|here|a_question?
    how does|do|is THIS|you|u work|function|operate|answer|know|know_things|do_it|do_this|do_that|think|learn|know_that|know_all_that|know_this|know_so_much|find_answers|get_your_answers|come_up_with_answers exactly|then|here|anyway|actually|things|questions|all_this|all_that|it?
    how is|does this|it supposed|meant to work
    how are you built|made|trained|programmed
    how smart|clever|good|old|accurate|reliable|intelligent|fast|big|tall are you
    how old|smart|clever is THIS
    can|could|would|will|may you|u|someone|anyone|somebody|anybody|i|we help|assist|hear|see|understand|talk|read|speak|think|get_help|ask_you|ask|hear_me|see_me|help_us|help_me|lend_a_hand|give_me_a_hand me|us|out|me_out|us_out|something|a_question|to_me|with_something|me_with_something|anything?
    can you speak|understand|answer_in|talk|do|reply_in LANGUAGE
    do you speak|understand|know LANGUAGE
    what languages|language do|can you speak|understand|know|support|talk
    how can|could|may|do|will you help me|us|out?
    i|we need|want|require|could_use|would_like some? help|assistance|a_hand|support now|here?
    help|assist|assistance|sos me|us|needed|wanted|required?
    give me a hand
    are|is|you|u you|u|this|there|that|it still|just|really|actually|even|only|some|like|some_kind_of? a|an|some|the|some_sort_of|some_kind_of? BOT|bot_or|there|here|online|awake|working|alive|listening|listening_to_me|up|back|ok|okay|alright|sentient|conscious|intelligent|smart|clever|single|married|happy|tired|busy|broken|down|asleep|sleeping|on|ready|sure|serious|kidding|kidding_me|joking|alright_today|new|new_here|free|bored|sad|lonely|dumb|stupid|sure_about_that|sure_of_that|male|female
    are|is you|u|this_bot|masis|this|that|it really|actually? a|an|the? BOT or a|an|the? BOT
    am i talking|speaking|chatting|writing to|with a|an? BOT or|an? a|an? BOT?
    is|are this|that|these|you a|an|some|run_by_a|automated|run_by? automated|virtual|digital? BOT|automated|answers|replies|messages|for_real|real|working|on|free
    is THIS working|on|down|alive|broken|real|a_bot|ai|human|there|any_good|free
    what|who is your name|job|purpose|role|function|creator|maker|boss|owner|task|deal|story|favourite_colour|favorite_color|age|gender|mission|star_sign
    whats your name|job|purpose|role|function
    do you have|got|use a|an|any|your? name|feelings|emotions|friends|family|brain|soul|job|boss|hobbies|pets|children|kids|birthday|face|voice|body|memory|limits|heart|opinions|consciousness|gender|dreams|weekends_off|days_off|time_off|real_name
    do you sleep|eat|dream|drink|think|work|exist|learn|know_me|remember_me|like_me|love_me|get_tired|ever_sleep|ever_rest|know_everything|hear_me|understand|understand_me|like_it_here|like_your_job|remember|remember_things|remember_what_i_said|work_at_night|work_weekends|ever_get_tired|ever_get_bored|get_bored|ever_make_mistakes|make_mistakes|know_who_i_am|drink_coffee|drink_tea|like_coffee|like_tea|like_music|like_people|like_humans|hallucinate|lie|use_ai|speak|talk|know_anything|cost_anything|cost_money|ever_lie|even_work|still_work|listen
    who|what made|built|created|wrote|programmed|developed|designed|trained|owns|runs|maintains|powers|coded|invented|is_behind|are_behind|operates|controls you|this_bot|this_thing|masis|the_bot|this_tool
    who|what is behind THIS|this
    who do you work_for|belong_to|think_you_are|report_to
    who am i talking|speaking|chatting|writing to|with
    where do you come_from|live|get_your_answers|get_your_answers_from|get_your_information|get_your_information_from|get_that_from|get_it_from|get_your_knowledge|get_your_knowledge_from|get_your_data_from
    where are you from
    where did you come_from|learn_that|learn_this
    when were you born|made|built|created
    what model|ai|llm|technology|tech are_you|do_you_use|is_this|are_you_using|are_you_based_on|runs_this|is_behind_this
    tell|say me|us|something? something|more|a_bit|a_little? about you|yourself|this_bot|masis
    introduce|explain|describe yourself|THIS
    talk_to_me|say_something|say_hi|say_hello|show_me_what_you_can_do|show_me_what_you_do|what_else_can_you_do|what_else_do_you_do|what_else_do_you_know|tell_me_what_you_can_do|tell_me_what_you_do|tell_me_how_this_works|explain_how_this_works|what_you_can_do|give_me_some_examples_of_what_you_can_do
    can i|we trust|believe|rely_on you|this_bot|your_answers|what_you_say
    test|testing|testing_testing|test_test|ping|test_message|testing_123|test_123|just_testing|just_a_test|this_is_a_test|testing_1_2|testing_1_2_3|testing_one_two_three|test_1_2_3|one_two_three_test|check_check|mic_check|does_this_work|does_it_work|is_this_working|just_trying_this_out|trying_this_out|just_trying_it_out|just_checking_if_this_works
    tell me|us a|another|one_more|some joke|story|jokes|secret
    sing_a_song|do_a_dance|sing_me_a_song|tell_a_joke|got_any_jokes|know_any_jokes|do_you_know_any_jokes|do_you_dream_of_electric_sheep|make_me_laugh|surprise_me|entertain_me|will_you_marry_me|marry_me|do_you_love_me|what_is_the_meaning_of_life|what_are_you_doing|what_are_you_up_to|what_are_you_wearing|whats_it_like_being_a_bot
    good|any bot|robot or human|person
    bot|robot|machine|ai|human|person or a? human|person|bot|robot|machine|real_person
    i am|m just|only testing|trying|playing|looking|checking this|you|it|around|with_you|this_out|you_out|it_out?
    just|only trying|playing|looking|checking this|you|it|around|with_you|this_out|you_out|it_out|in?
"""

_ABOUT_THIS: Final = """
    and|so? how does|do this|all_this|it_all|this_here work|function exactly|then|here|anyway|actually?
    how is this supposed|meant to work
    and|so? what is|are this|all_this|this_here then|exactly|for|about|all_about|good_for|supposed_to_be?
    what does this do|know|answer
    who is this|there
    how|where do|can|should i|we use_this|start|begin|get_started|start_with_this|ask|use_it|work_with_this|start_here|begin_here
    how to use|ask|start|begin|get_started|work_with this|it|here?
    is|does this|it|that working|on|alive|broken|real|free|down|work|still_work
    can i|we trust|rely_on|believe this|that
    what can i|we do with|find this|here|in_here
"""
"""What asks about the bot where nothing was asked before; later "this" is what the thread is about."""

_SORRY: Final = """
    sorry|apologies|whoops|pardon|oops|sry|soz|forgive_me|pardon_me|excuse_me|beg_your_pardon|i_beg_your_pardon|entschuldigung|desole|perdon|scusa|scusi|tut_mir_leid|pardon_my_french|my_sincere_apologies|my_apologies|so_sorry|very_sorry|really_sorry|i_am_so_sorry|i_am_very_sorry|i_am_really_sorry|i_am_sorry|i_apologise|i_apologize
    my|all_my bad|mistake|fault|error|apologies|typo|slip
    sorry|apologies|apologize|apologise to bother|bug|disturb|trouble|interrupt|ask|pester|be_a_pain|hassle|keep_asking|ping|nag you|everyone|u|you_all|you_with_this|all? again|so_late|so_early|once_more|with_this|with_that?
    sorry|apologies for|about|abt that|this|it|the_typo|the_typos|the_spam|the_noise|the_trouble|the_delay|the_confusion|the_late_reply|the_bother|the_mistake|the_mix_up|the_mixup|my_spelling|my_typing|the_silly_question|the_stupid_question|the_basic_question|the_dumb_question|the_inconvenience|the_mess|the_misunderstanding|all_the_questions|so_many_questions|the_double_post|the_duplicate|my_english|my_bad_english|being_slow|being_late|shouting|the_caps|the_interruption|bothering_you|the_random_question|the_long_message|the_wrong_channel|my_typo|my_mistake|earlier|before|asking|asking_again|my_ignorance|any_confusion|the_hassle|disturbing_you|disturbing|bothering|my_typos|the_messy_message|the_late_message|the_false_alarm earlier|before|above|just_now|again|there|you|everyone|yesterday|today?
    wrong channel|thread|chat|window|person|button|message|one|place|room|group|key|tab|bot
    i|that|this|it am|was|s|is meant_for|for|in|for_the|in_the|the|meant_for_the|posted_in_the|sent_to_the|a|an? wrong|another|other|different channel|thread|chat|window|person|place|room|message
    that|this|it was|is meant|intended? for someone_else|somebody_else|another_channel|my_colleague|a_mistake|an_accident|by_mistake|by_accident|a_typo|a_test|a_joke|a_misclick
    sorry|apologies if this|that|it was|is|has|was_already|has_been|has_already|has_already_been|is_already|has_been_already been? asked|answered|a_silly_question|a_stupid_question|a_dumb_question|obvious|a_basic_question|covered|a_daft_question already|before|elsewhere|many_times?
    i|sorry_i did|didnt not? mean|see|mean_to|mean_that|mean_it|see_that|mean_to_send_that|mean_to_post_that|mean_to_bother_you|know_that
    ignore|disregard|forget|scratch|skip|cancel|delete|strike please? that|this|it|me|my_last|my_last_message|my_message|the_last_message|the_above|last_message|my_last_question|that_message|that_last_message|what_i_said|about_it|about_that|the_last_one|my_previous_message|my_question|that_question|the_question
    please_ignore|ignore_the_typo|ignore_the_typos|ignore_my_typo|ignore_my_spelling|excuse_the_typo|excuse_my_spelling|excuse_the_typos|excuse_my_typing
    please? ignore|disregard that|this|me|my_last_message|my_message|the_above|my_last_question|that_last_message|the_last_one
    never_mind|nevermind|nvm|no_matter|does_not_matter|it_does_not_matter|that_does_not_matter|not_to_worry|misclick|mistype|mistyped|typo|false_alarm|my_cat|autocorrect|butterfingers|fat_fingers|pocket_message|clicked_too_soon|sent_too_soon|i_pressed_the_wrong_button|posted_by_mistake|sent_by_mistake|by_mistake|stupid_autocorrect|damn_autocorrect|a_slip_of_the_finger|slip_of_the_finger|finger_slip|wasnt_meant_for_you|not_meant_for_you|not_for_you|that_was_not_for_you|silly_me|i_found_it|found_it|i_found_it_myself|found_it_myself|i_worked_it_out|worked_it_out|figured_it_out|i_figured_it_out|sorted_it|got_it_sorted|all_sorted|sorted
"""

_NOTED: Final = """
    ok|okay|okey|okey_dokey|k|kk|right|alright|all_right|alrighty|gotcha|understood|noted|roger|roger_that|copy_that|sure|sure_thing|fine|fair|fair_enough|fair_play|makes_sense|makes_perfect_sense|cool_cool|aha|i_see|will_do|wilco|ten_four|duly_noted|gut|alles_klar|okidoki|oki|okie|okie_dokie|righto|right_o|rightio|right_you_are|point_taken|true|true_that|indeed|exactly|precisely|agreed|absolutely|definitely|of_course|certainly|naturally|done|affirmative|works_for_me|suits_me|fine_by_me|fine_with_me|ok_by_me|good_enough|good_enough_for_me|as_expected|as_i_thought|thought_so|i_thought_so|i_thought_as_much|i_know|i_knew_it|knew_it|i_get_it|get_it|i_got_it|got_it|got_that|i_got_that|got_you|read_it|will_read_it|on_it|ill_take_a_look|will_check|i_will_check|let_me_check|i_will_have_a_look|i_will_try_that|will_try|will_try_that|ill_try|i_will_try|let_me_see|we_will_see|well_see|we_shall_see
    no worries|problem|probs|prob|bother|rush|hurry|drama|stress|biggie|idea|comment|way|kidding|harm_done|hard_feelings at_all|then?
    you are? welcome|very_welcome|most_welcome
    my_pleasure|pleasure|anytime|any_time|do_not_mention_it|it_is_nothing|de_nada|not_a_problem|np|ditto|likewise|same_here|same|same_to_you|you_too|and_you_too|u_too|same_again
    haha|oh|hm|rofl|lmao|hehe|lolz|omg|oh_my_god|oh_my|oh_dear|oh_no|oh_well|oh_yes|gosh|blimey|crikey|goodness|my_goodness|wtf|gee|jeez|yikes|damn|darn|dang|bummer|bah|meh|argh|boo|booo|pff|pfft|shame|what_a_shame|what_a_pity|pity|too_bad|whatever|interesting|weird|strange|odd|hm|really|no_way|for_real|seriously|you_dont_say|who_knew|well_well|imagine_that|how_funny|so_funny|that_is_hilarious|hilarious|thats_life|shrug|facepalm|sigh|tja|naja|ach_so|fml|smh|idk|tbh|imo|i_do_not_know|no_idea|dunno
    sounds|looks|seems like_a_plan|good|great|fine|ok|okay|reasonable|right|fair|about_right|good_to_me|fine_to_me|sensible|legit|promising
    that|this|it is|sounds|looks|seems|was fine|ok|okay|alright|fair|fair_enough|true|understood|noted|reasonable|all_good|a_shame|a_pity|too_bad|funny|so_funny|hilarious|weird|odd|strange|crazy|annoying|sad|life|that|enough|me|good_enough|a_deal|a_plan|settled|sorted|a_joke|what_i_thought|as_i_thought|fine_by_me|ok_then|good_to_know
    all|its_all|it_is_all|we_are_all good|fine|clear|set|sorted|done|well|ok
    got|get it|you|that
    what|such? a? GOOD|awful|terrible|horrible|miserable|rubbish|rotten|gorgeous|beautiful|foul|grim weather|sunshine|rain today|outside|out|out_there|out_today|again|here? eh|innit|isnt_it|is_it_not?
    here|there you go|are
    here|there it is|we_are|they_are
    as_requested|as_promised|as_discussed|voila
    let_me_know|just_wondering|just_curious|just_asking|asking_for_a_friend|just_saying|just_kidding|jk|only_joking|just_joking|joking|kidding|fyi|i_was_joking|i_am_joking|i_was_only_joking|just_so_you_know
    one|just_a|give_me_a|hang|hold|wait|just|a|hang_on_a|hold_on_a|wait_a moment|minute|second|sec|mo|min|tick|on
    wait|hang_on|hold_on|one_moment_please|bear_with_me|give_me_a_second|lets_go|here_we_go|here_goes|lets_see|lets_try|let_us_try|let_us_see|go_on|go_ahead|fire_away|carry_on|as_you_were
    i do|did not? know|think_so|believe_so|guess|hope_so|agree|understand|see|agree_with_you
    i think_so|guess_so|guess|suppose_so|suppose|hope_so|agree|understand|doubt_it|disagree|can_see_that|will|can|had_no_idea|am_bored|am_tired|am_happy|am_sad|am_confused|am_hungry|love_fridays|hate_mondays|need_coffee|need_a_coffee
    tgif|thank_god_its_friday|thank_god_it_is_friday|its_friday|it_is_friday|finally_friday|almost_weekend|nearly_weekend|mondays|coffee_time|lunch_time|time_for_coffee|time_for_lunch
"""

_ANSWER: Final = """
    yes|no|yep|nope|yeah|yup|nah|yea|ya|aye|ja|nein|oui|si|non|yes_please|no_need|not_yet|not_really|not_now|maybe|perhaps|probably|possibly|both|none
"""

_FILLER: Final = """
    and|but|so|well|then|now|just|very|really|please|again|also|anyway|anyways|though|btw|by_the_way|x|xx|xxx|xoxo|here|too|like|honestly|actually|indeed|a|my|mein|to_you|to_be_honest|on_that|with_that|for_that|for_this|for_it|about_that|eh|innit
    all|everyone|everybody|there|team|folks|guys|both|masis|bot|mate|mates|friend|friends|buddy|pal|pals|dear|sir|madam|people|you|you_all|yall|lads|gang|robot|assistant|ladies|gents|gentlemen|colleagues|dude|bro|man|boss|love|hun|darling|girls|boys|chaps|my_friend|my_friends|my_dear|old_friend|old_chap|to_all|to_everyone|ladies_and_gentlemen|guys_and_girls|each_and_every_one|one_and_all|little_bot|little_helper|little_robot|from_me|from_all_of_us|from_us|world|computer|machine|dear_bot|dear_all|chat|zusammen|allerseits|leute|everyone_here|all_here|tout_le_monde|a_tous|amigo|amigos|mon_ami|chief|champ
    so_much|very_much|a_lot|lots|a_million|a_bunch|in_advance|once_again|once_more|as_always|as_ever|as_usual|anyway|all_the_same|for_now|for_today|today|tomorrow|tonight|this_morning|this_afternoon|this_evening|this_time|mucho|sehr|vielmals|beaucoup|mille|indeed|ever_so_much|back|at_least|for_sure|at_last|finally|earlier|already|yet|soon|later|next_time|to_everyone|a_bit|right_now|at_the_moment|kindly
"""

_SPELLINGS: Final = {
    **dict.fromkeys(
        (
            "thx",
            "thnx",
            "tnx",
            "thks",
            "thanx",
            "thnks",
            "thankx",
            "tx",
            "thxs",
            "tanx",
            "fanks",
            "tks",
        ),
        "thanks",
    ),
    **dict.fromkeys(
        ("thankyou", "thank-you", "ty", "tyvm", "tysm", "tyty", "thanku", "thankq", "thanq", "tia"),
        "thank you",
    ),
    **dict.fromkeys(
        ("thabks", "thsnks", "thamks", "thangs", "tahnks", "thanks'", "thanksss"), "thanks"
    ),
    **dict.fromkeys(("chrs", "chers", "cheerz"), "cheers"),
    **dict.fromkeys(
        ("hallo", "helo", "hullo", "ello", "helllo", "hellow", "hullo", "hellooo", "heloo", "hlo"),
        "hello",
    ),
    **dict.fromkeys(("mornin", "morgen", "mornings", "morn", "gm"), "morning"),
    **dict.fromkeys(("arvo", "aft", "afternoons"), "afternoon"),
    **dict.fromkeys(("evenin", "evenings"), "evening"),
    **dict.fromkeys(("bye-bye", "byebye", "buh-bye"), "bye bye"),
    **dict.fromkeys(("good-bye", "gudbye", "goodby", "gbye"), "goodbye"),
    **dict.fromkeys(("gr8", "grt"), "great"),
    **dict.fromkeys(("gud", "goood", "gd"), "good"),
    **dict.fromkeys(("oky", "okk", "k'", "o-k", "okie-dokie", "okey-dokey", "ok-dokey"), "ok"),
    **dict.fromkeys(("noice", "nyc1"), "nice"),
    **dict.fromkeys(("awsome", "awesum", "awsum", "awesomeness"), "awesome"),
    **dict.fromkeys(("brill", "brillant", "brilliantly"), "brilliant"),
    **dict.fromkeys(("perf", "perfick", "perfecto", "perfetto", "perfectly"), "perfect"),
    **dict.fromkeys(("fantastico", "fantabulous"), "fantastic"),
    **dict.fromkeys(("sorted-thanks",), "sorted thanks"),
    **dict.fromkeys(("ur",), "your"),
    **dict.fromkeys(("u", "ye", "yu", "yous", "youse"), "you"),
    **dict.fromkeys(("r",), "are"),
    **dict.fromkeys(("youre", "ure", "your'e"), "you are"),
    **dict.fromkeys(("pls", "plz", "plse", "pleas", "plese", "bitte", "svp"), "please"),
    **dict.fromkeys(("wat", "wot", "waht", "wht", "hwat", "whta"), "what"),
    **dict.fromkeys(("whats", "wats", "wots"), "what is"),
    **dict.fromkeys(("whos", "whois"), "who is"),
    **dict.fromkeys(("wheres",), "where is"),
    **dict.fromkeys(("hows", "howz"), "how is"),
    **dict.fromkeys(("hw", "hwo"), "how"),
    **dict.fromkeys(("thats", "tats", "dats"), "that is"),
    **dict.fromkeys(("its",), "it is"),
    **dict.fromkeys(("im", "iam"), "i am"),
    **dict.fromkeys(("ive",), "i have"),
    **dict.fromkeys(("ill",), "i will"),
    **dict.fromkeys(("id",), "i would"),
    **dict.fromkeys(("youve", "uve"), "you have"),
    **dict.fromkeys(("youll",), "you will"),
    **dict.fromkeys(("whatre",), "what are"),
    **dict.fromkeys(("lets",), "let us"),
    **dict.fromkeys(("cant", "cannot"), "cannot"),
    **dict.fromkeys(("dont",), "do not"),
    **dict.fromkeys(("doesnt",), "does not"),
    **dict.fromkeys(("didnt",), "did not"),
    **dict.fromkeys(("isnt",), "is not"),
    **dict.fromkeys(("wasnt",), "was not"),
    **dict.fromkeys(("gonna",), "going to"),
    **dict.fromkeys(("cya", "seeya", "see-ya", "cu", "cyal8r"), "see you"),
    **dict.fromkeys(("l8r", "l8er", "latr", "latas"), "later"),
    **dict.fromkeys(
        ("2morrow", "tmrw", "tomoz", "tmw", "2moro", "tomorow", "tommorow", "tommorrow"), "tomorrow"
    ),
    **dict.fromkeys(("2day", "2dae"), "today"),
    **dict.fromkeys(("2nite", "tonite"), "tonight"),
    **dict.fromkeys(("wknd", "w-end", "weekend's", "week-end"), "weekend"),
    **dict.fromkeys(("b4",), "before"),
    **dict.fromkeys(("apols", "apologizes", "appologies", "apologys"), "apologies"),
    **dict.fromkeys(("sry", "soz", "sorrry", "srry", "sozz", "sori", "sory"), "sorry"),
    **dict.fromkeys(("apreciate", "appriciate", "apprechiate", "appreciated'"), "appreciate"),
    **dict.fromkeys(("apreciated", "appriciated"), "appreciated"),
    **dict.fromkeys(("abt",), "about"),
    **dict.fromkeys(("m8", "matey", "maties", "m8s"), "mate"),
    **dict.fromkeys(("ppl",), "people"),
    **dict.fromkeys(("every1", "everyone's"), "everyone"),
    **dict.fromkeys(("any1", "sum1", "some1"), "anyone"),
    **dict.fromkeys(("every-one", "evry1", "evryone"), "everyone"),
    **dict.fromkeys(("maam", "ma'm", "mam", "miss", "mister"), "madam"),
    **dict.fromkeys(("well-done", "welldone"), "well done"),
    **dict.fromkeys(("y", "yall"), "you"),
    **dict.fromkeys(("ofc",), "of course"),
    **dict.fromkeys(("alot",), "a lot"),
    **dict.fromkeys(("v",), "very"),
    **dict.fromkeys(("sooo", "soo"), "so"),
    **dict.fromkeys(("verry",), "very"),
    **dict.fromkeys(("n", "und", "et", "y'all"), "and"),
    **dict.fromkeys(("wassup", "whassup", "wazzup", "whatsup", "wuu2"), "wassup"),
    **dict.fromkeys(("gtg", "g2g"), "gtg"),
    **dict.fromkeys(("test1", "test123", "test12"), "test"),
    **dict.fromkeys(("hahaha", "ha-ha", "he-he", "ha", "heh", "lel", "kek", "lul", "😂"), "haha"),
    **dict.fromkeys(("yess", "yesss", "ye", "ys"), "yes"),
    **dict.fromkeys(("luv",), "love"),
    **dict.fromkeys(("tho",), "though"),
    **dict.fromkeys(("bcuz",), "because"),
}

SMALL_TALK: Final = Phrases(
    lines={
        "hello": _HELLO,
        "newcomer": _NEWCOMER,
        "thanks": _THANKS,
        "bye": _BYE,
        "about": _ABOUT,
        "about this": _ABOUT_THIS,
        "sorry": _SORRY,
        "praise": _PRAISE,
        "noted": _NOTED,
        "answer": _ANSWER,
        "filler": _FILLER + "\n" + "|".join(sorted(GIVEN_NAMES)),
    },
    classes=_CLASSES,
    spellings=_SPELLINGS,
    distinctive=frozenset(
        """
        thanks thank hello morning afternoon evening goodbye great awesome brilliant perfect sorry
        appreciate appreciated helpful useful weekend cheers everyone excellent fantastic amazing
        wonderful nice cool please really answer everybody today tomorrow understood welcome
        """.split()
    ),
    no_typos=frozenset(
        {"tanks", "hanks", "tank", "thans", "grate", "rally", "geat", "peas", "plea"}
    ),
)
