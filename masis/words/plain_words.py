"""Verbs, adjectives and small talk that questions have and documents say in other words.

They name no thing that a document could lack: "where do we gather" is answered by "the assembly
point is". Forms that name a thing at work as often ("report", "claim", "parking") are
left out.
"""

from typing import Final

PLAIN_WORDS: Final = frozenset(
    """
    accept accepted accompany achieve acquire act adapt add adding adjust admit adopt afford
    agree agreed aim allocate alter amend announce annoy anticipate apologise appear applies
    apply applying appoint appreciate arrange arrive arriving ask asked asking assemble
    assign assist assume attach attempt attend avoid await become becomes been beg behave
    believe belong bend better bigger blame borrow bother bought breaks bring bringing broke
    broken brought built bust buy buying calculate cancel cancelled carried carry carrying
    catch caught cause cease celebrate changed changing chase cheaper checked checking
    choose chose chosen chuck clarify clear climb close closed closes closing collect come
    comes coming commit communicate complain complete comply concern confirm confuse connect
    consider consist contain continue contribute convince cope correct covered covers create
    crying damaged dare dealing dealt decide decided decides declare decrease dedicate
    deliver deny depart depend describes deserve desire destroy determine develop die died
    dies differ dig dip disagree disappear discover discuss dislike dismiss dispose
    distribute disturb ditch divide double doubt drawn drives dropped drunk earn earned eat
    eaten eats elect eliminate embark emerge empty enable encounter encourage ended ends
    enforce enjoy ensure enter entitled escalate escape establish exceed exclude exist
    existing expect expected expired expires explore expose extend extends faced fade fail
    failed fails fall fallen falls fancy fed feed feel feeling feels fell felt fetch filled
    filling find finish finished finishes fired fit fits fixed fixing follow follows forbid
    forbidden forced forget forgets forgot forgotten formed forward fulfil gather gave get
    gets getting give given gives giving glad go goes going gone grab grabbed grew grow
    growing grows guess handle handled handles handling hang happened happening happens hate
    hated headed heal hear heard held help helped helping helps hesitate hid hide hired
    hires hit hits holding holds hop hope hoping hurt hurts identify ignore ill illegal
    imagine improve inclined include included includes increase increased indicate inform
    informed initiate insist inspect installed instruct intend intended interested interfere
    introduce introduced invest investigate invite invited involve involved issued join
    joined joining joins justify keen keeps kept kicked kicks kitting knew knowing known
    knows lasted lasts laugh lay lead leads lean leaning learn learned lent let lets letting
    like liked likes limited listen live lived lives located locked look looked looking
    looks lose loses losing lost love lower lucky mad made maintain makes making manage
    managed manages managing matter matters meet melt mention mentioned mess met mind miss
    missed missing moved moves moving multiply named needed needs neglect negotiate nick
    nicked nominate noticed notify obey obtain obtained occupied occupy occur occurred
    offered offering offers open opened opens operate operated opt oversee overtake owe owed
    owes own owned owns paid participate passed passes paying perform permit permitted
    persuade phoned pick picked picking picks pinched placed plugged possess postpone pour
    prefer preferred prepare prepared prepares pretend prevent proceed produced produces
    prohibit promised promote promoted pronounce propose prove provide provided provides
    publish pulled purchased pushed puts putting qualified qualify ran rang reached react
    read reads ready realise realize rearrange receive received receives recognise recommend
    recommended recover reduce reduced refer refuse refused reject rejected relate related
    relax released rely remain remaining remains remember remind remove removed repaired
    repeat replace replaced replaces represent requested require required requires resell
    resign respond responsible restart restore restrict resume retire retired returned
    reveal revise ringing rings rising ruin ruled rules runs sacked same sat satisfied save
    saved saw say saying says scared scheduled see seeing seek seem seemed seems seen select
    sell selling sells send sending sends sent separate serve served serves sets setting
    settle shared shares shipped shout show showed showing shown shows shut shuts signed
    signing signs sit sits sitting slow solve sorted speak speaking speaks spent spill spoke
    spoken start started starting starts stated stayed staying steal sticks stole stolen
    stood stopped stopping stops stored straight stuck submit submitted succeed suffer
    suggest suggested suit supervise supposed sure surrender suspect swapped switched taking
    talk talked talking talks teach tells tend terminate tested think thinking thinks
    thought threw throw thrown tidy tired told took trained treated treats tried tries try
    trying turn turned turning turns unable understand undo unlock unsure updated upset
    urgent used uses using vary verify view visited visiting wait waited waiting want wanted
    wants warn watched wear wearing wears went wipe won wonder wondering worked working
    works worried worry worth write writes writing written wrong wrote

    afterwards altogether anyhow anyways beforehand besides furthermore hereby indeed likewise
    meanwhile moreover namely nowadays otherwise overall somewhat therefore throughout upfront
    whatever whereas whichever

    meantime trouble hassle fuss
    afternoon alone aloud apart asap aware away awful awkward basically bit bits brand
    bright buck bucks bunch busy cent cents certain certainly cheers chilly clever cold
    colleagues common constantly cos couple coz crazy cuz daft daily dark decent definitely
    different difficult directly dirty dollar dollars dozen dozens dry dunno during easier
    easily easy else enough entire equal especially euro euros evening everyone exact extra
    fair famous favourite few finally fine fiver folks foreign former free frequent fresh
    friendly full fully funny further generally genuinely gonna gotta great guilty guys half
    handy happy hard heavily helpful honest honestly hopefully hot huge hundred immediate
    immediately important impossible instead kinda late later latest legally lemme likely
    literally little loads lot lots loud lovely main mainly major massive mate mates mean
    middle million modern monthly morning narrow nasty near nearby nearly neat necessary
    never nice nicely nope normal normally obvious obviously occasionally odd officially
    okay outdoors outside overnight overseas particular past pence perfect permanently plain
    plenty polite poor popular posh pound pounds preferably pretty previous previously
    probably proper properly proud public pure quarterly question quick quid quiet quite
    random rare rarely real recent recently regular regularly remote rich rough roughly rude
    separately serious shiny silly similar simple single slight small smart smooth soft
    somehow sometimes sorry sorta special specific specifically strange strict strong stupid
    sudden sufficient suitable super sweet ta tall temporarily temporary tenner terrible
    thick thin tho thousand thx tight tiny together tough tricky true ty typical typically
    tysm ugly unclear unusual upcoming useful usual valid wanna warm weekly weird whenever
    wherever wild wise wonderful worse worst yeah yearly yep yes yet young younger
    page pages step steps simply merely truly barely hardly ages forever lately someday oldest newest cheapest dearest
    nearest reckon hanging poke nobody blimey bloody damn dodgy iffy reckons chasing ditching nipping popping popped nip pop dash dashing whack sling lob shove stash rid
    """.split()
)
