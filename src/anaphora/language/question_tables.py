"""The question words of the sixteen target languages, and what marks a yes-or-no question."""

from __future__ import annotations

from typing import Final

# A type's words, "_" within a phrase. "^": only where a clause begins, since the word is as often
# another one elsewhere. "*": whatever else the word ends in. "skip" lists what only looks like a
# question word; the longest of two that begin together counts.
WORDS: Final[dict[str, dict[str, str]]] = {
    "ar": {
        "who": "^من مع_من ممن من_هو من_هي من_هم من_الذي من_التي من_الذين لمن بمن",
        "what": "^ما ماذا بماذا عماذا ماهو ماهي ماهم مالذي ^ماسم ما_هو ما_هي ما_هم ما_هما ما_الذي "
        "ما_التي ما_اسم ما_نوع",
        "which": "أي أية أيهما أيهم بأي لأي ^من_أي",
        "when": "متى ^ما_العام ^ما_السنة ^ما_التاريخ ما_هو_العام ما_هي_السنة ما_هو_التاريخ أي_عام "
        "أي_سنة أي_أعوام أي_سنوات أي_تاريخ أي_يوم أي_شهر أي_قرن أي_وقت أي_ساعة أي_عقد أي_عصر",
        "where": "أين ^من_أين",
        "why": "لماذا لأي_سبب",
        "how": "كيف",
        "how many": "كم بكم ما_عدد ما_هو_عدد ما_نسبة ما_هي_نسبة ما_مقدار ما_هو_مقدار",
        "yes/no": "هل ^أليس ^أليست ^ألم ^أولم",
        "other": "ماذا_عن",
        "skip": "^من_بين ^من_خلال ^من_أجل ^من_قبل ^من_حيث ^من_المحتمل ^من_الممكن ^ما_لم ^ما_إذا",
    },
    "de": {
        "who": "wer wen wem wessen",
        "what": "was worum wovon womit wofür woran worauf worin wodurch woraus wogegen wonach "
        "wobei worüber wie_heiß* wie_hieß* wie_nenn* wie_nannt* wie_laut*",
        "which": "welche* welch was_für",
        "when": "wann wie_spät welche*_jahr welche*_jahren welche*_jahrhundert welche*_jahrzehnt "
        "welche*_tag welche*_monat welche*_datum wie_viel_uhr",
        "where": "wo woher wohin",
        "why": "warum wieso weshalb weswegen wozu",
        "how": "wie inwiefern inwieweit welche*_weise",
        "how many": "wie_viel wie_viele* wieviel* wie_lange wie_oft wie_hoch wie_groß wie_weit "
        "wie_alt wie_schnell wie_lang wie_breit wie_tief wie_schwer wie_häufig welche*_prozent*",
        "other": "was_ist_mit wie_steht_es_mit wie_sieht_es_mit",
    },
    "en": {
        "who": "who whom whose",
        "what": "what whats",
        "which": "which",
        "when": "when what_year what_years what_time what_date what_day what_month what_century "
        "what_decade which_year which_years which_day which_month which_century which_decade",
        "where": "where",
        "why": "why how_come",
        "how": "how",
        "how many": "how_many how_much how_long how_old how_far how_often how_frequently how_tall "
        "how_high how_big how_large how_fast how_deep how_heavy how_wide how_small what_percent "
        "what_percentage",
        "other": "what_about how_about what_if",
    },
    "es": {
        "who": "quién quiénes ^quien ^quienes",
        "what": "qué ^que cuál_es cuál_fue cuál_era cuál_será cuáles_son cuáles_fueron "
        "cuáles_eran ^cual_es ^cual_fue ^cual_era ^cuales_son ^cuales_fueron cómo_se_llama* "
        "^como_se_llama*",
        "which": "cuál cuáles ^cual ^cuales",
        "when": "cuándo ^cuando qué_año qué_años qué_fecha qué_día qué_mes qué_siglo qué_hora "
        "qué_década ^que_año ^que_fecha ^que_día ^que_siglo",
        "where": "dónde adónde ^donde ^adonde",
        "why": "por_qué ^por_que",
        "how": "cómo ^como de_qué_manera de_qué_forma de_qué_modo",
        "how many": "cuánto cuántos cuánta cuántas ^cuanto ^cuantos ^cuanta ^cuantas qué_tan "
        "qué_porcentaje qué_cantidad qué_edad qué_distancia qué_altura qué_longitud ^que_tan "
        "^que_edad con_qué_frecuencia",
        "other": "qué_tal qué_hay_de qué_pasa_con",
    },
    "fi": {
        "who": "kuka kenet kenen ketä kenelle keneltä kenellä kellä kelle keltä kenestä keneen "
        "kenessä keneksi ketkä keiden keitä keille keiltä keillä keistä keihin",
        "what": "mikä mitä minkä millä mille miltä mitkä minkä_niminen mikä_niminen minkälai* "
        "millai*",
        "which": "kumpi kumman kumpaa kumpi* kummassa kummasta kummalla kumpaan",
        "when": "milloin ^koska minä_vuonna minä_vuosina minkä_vuoden mihin_aikaan minä_päivänä "
        "millä_vuosisadalla millä_vuosikymmenellä mistä_lähtien",
        "where": "missä mistä mihin minne",
        "why": "miksi minkä_takia minkä_vuoksi mistä_syystä",
        "how": "miten kuinka millä_tavalla millä_tavoin",
        "how many": "kuinka_mon* kuinka_paljon miten_mon* miten_paljon ^monta ^moniko ^monesko "
        "montako paljonko kuinka_kauan kuinka_usein kuinka_vanha kuinka_pitk* kuinka_suur* "
        "kuinka_korkea* kuinka_kaukana",
        "other": "entä entäs",
    },
    "fr": {
        "who": "qui",
        "what": "qu'est-ce quoi ^que ^qu'* quel_est quelle_est quels_sont quelles_sont quel_était "
        "quelle_était quels_étaient quelles_étaient quel_fut quelle_fut quel_a_été quelle_a_été "
        "comment_s'appel*",
        "which": "quel quelle quels quelles lequel laquelle lesquels lesquelles",
        "when": "quand quelle_année quelles_années quelle_date quelle_heure quel_jour quel_mois "
        "quel_siècle quelle_époque quelle_décennie",
        "where": "où d'où",
        "why": "pourquoi",
        "how": "comment",
        "how many": "combien quel_âge quelle_quantité quel_pourcentage à_quelle_fréquence",
        "other": "qu'en_est-il",
    },
    "hi": {
        "who": "कौन किसने किसका किसकी किसके किसको किसे किससे किन्होंने किनका किनकी किनके किन्हें",
        "what": "क्या",
        "which": "कौन_सा कौन_सी कौन_से कौनसा कौनसी कौनसे किस किन",
        "when": "कब किस_वर्ष किस_साल किस_सन किस_दिन किस_समय किस_तारीख किस_महीने किस_शताब्दी "
        "किस_दशक कितने_बजे",
        "where": "कहाँ कहां किधर किस_जगह किस_स्थान",
        "why": "क्यों किसलिए किस_कारण किस_वजह",
        "how": "कैसे कैसा कैसी किस_प्रकार किस_तरह",
        "how many": "कितना कितने कितनी",
        "other": "के_बारे_में_क्या",
    },
    "it": {
        "who": "chi",
        "what": "cosa che_cosa cos'* ^che qual_è qual'è quali_sono qual_era qual_fu quali_erano "
        "quali_furono come_si_chiama*",
        "which": "quale quali qual",
        "when": "quando che_anno che_anni quale_anno quali_anni che_ora quale_ora che_giorno "
        "quale_giorno che_data quale_data quale_secolo quale_mese che_mese quale_decennio",
        "where": "dove dov'*",
        "why": "perché perche come_mai quale_motivo quale_ragione",
        "how": "^come che_modo quale_modo",
        "how many": "quanto quanti quanta quante quant'* quale_percentuale",
        "other": "che_dire per_quanto_riguarda",
    },
    "ja": {
        "who": "誰 だれ どなた 何者 どの人 どんな人",
        "what": "何 なに なん どんな どういう どういった",
        "which": "どの どちら どれ どっち いずれ",
        "when": "いつ 何年 何時 何月 何日 何曜 何世紀 どの年 何時代 どの時代",
        "where": "どこ 何処",
        "why": "なぜ 何故 どうして なんで",
        "how": "どう どのよう いかに どんなふう どんな風",
        "how many": "いくつ いくら どのくらい どれくらい どのぐらい どれぐらい どれほど どれだけ "
        "どの程度 何人 何個 何回 何本 何枚 何冊 何匹 何台 何件 何歳 何才 何度 何倍 何円 何話 何曲 "
        "何階 何種 何票 何州 何か国 何カ国 何ヶ国 何点 何名 何番 何位 何% 何パーセント 何メートル "
        "何キロ 何ドル 何年間 何時間 何日間 何週間 何か月 何ヶ月 何カ月 何シーズン 何エピソード "
        "何文字 何勝 何世帯",
        # 誰か at the end asks who; 誰かが is someone.
        "skip": "いつも いつかは どこかで どこかに どこかの 誰かが 誰かを 誰かに 誰かの 何かが "
        "何かを 何かに 何かの なんとか どちらも どれも いずれも",
    },
    "ko": {
        "who": "누가 누구* 누굴",
        "what": "무엇* 무슨 무얼 뭐* 뭘* 뭔*",
        "which": "어느* 어떤*",
        "when": "언제* 몇_년* 몇년* 몇_시 몇_시에* 몇시* 몇_월* 몇월* 몇_일* 며칠* 몇_세기* "
        "어느_해*",
        "where": "어디* 어딜",
        "why": "왜 왜죠 왜요 왜인가* 어째서 무엇_때문* 무슨_이유* 어떤_이유*",
        "how": "어떻* 어떠* 어때* 어떤_방식* 어떤_방법*",
        "how many": "몇* 얼마* 몇_시간* 몇시간* 몇_년간* 몇_년_동안*",
        "skip": "몇몇* 언제나 누구나 누구든* 어디서나 무엇이든*",
    },
    "pt": {
        "who": "quem",
        "what": "o_que o_quê quê ^que qual_é qual_era qual_foi quais_são quais_eram quais_foram "
        "como_se_chama*",
        "which": "qual quais",
        "when": "quando que_ano que_anos qual_ano que_data que_dia que_horas que_hora que_mês "
        "que_século que_década",
        "where": "onde aonde",
        "why": "por_que por_quê porquê ^porque",
        "how": "^como de_que_forma de_que_maneira de_que_modo",
        "how many": "quanto quantos quanta quantas que_porcentagem que_percentagem "
        "com_que_frequência",
        "other": "que_tal quanto_a quanto_ao quanto_à quanto_aos quanto_às",
    },
    "ru": {
        "who": "кто кого кому кем ком чей чья чьё чьи чьего чьей чьему чьим чьих чью",
        "what": "что чего чему чем чём каков какова каково каковы как_назыв* как_назвал* "
        "как_зовут как_звали",
        "which": "какой какая какое какие какого какому каким каком какую каких какими ^котор*",
        "when": "когда каком_году каких_годах какого_года какой_год каком_веке какого_числа "
        "каком_месяце какой_день какое_время котором_часу во_сколько какая_дата какую_дату "
        "каком_десятилетии",
        "where": "где куда откуда",
        "why": "почему зачем отчего из-за_чего какой_причине",
        "how": "как каким_образом каким_способом",
        "how many": "сколько скольких скольким скольки насколько как_долго как_часто как_много "
        "как_далеко какой_процент* каким_процент* какое_количество какой_высоты какой_длины "
        "какой_глубины какое_расстояние какого_возраста",
        "other": "как_насчёт что_насчёт",
    },
    "th": {
        "who": "ใคร ผู้ใด",
        "what": "อะไร สิ่งใด",
        "which": "ไหน ใด",
        "when": "เมื่อใด เมื่อไร เมื่อไหร่ ปีใด ปีไหน ปีอะไร กี่โมง วันไหน วันใด วันอะไร ตอนไหน "
        "เวลาใด เวลาไหน ช่วงใด เดือนใด เดือนไหน ศตวรรษใด พ.ศ._ใด ค.ศ._ใด พ.ศ.ใด ค.ศ.ใด",
        "where": "ที่ไหน ที่ใด แห่งใด แห่งไหน ตรงไหน จากไหน ไปไหน",
        "why": "ทำไม เหตุใด เพราะอะไร",
        "how": "อย่างไร ยังไง เช่นไร วิธีใด วิธีไหน",
        "how many": "กี่ เท่าไร เท่าไหร่ เท่าใด แค่ไหน เพียงใด เพียงไร",
        # เกี่ยว and ใคร่ hold others by their letters alone.
        "skip": "เกี่ย ใคร่ ใครๆ ใดๆ",
    },
    "tr": {
        "who": "kim kimi kime kimin kimindir kimden kimde kimdedir kimle kiminle kimdir kimdi "
        "kimler kimleri kimlere kimlerin kimlerden kimlerle kimlerdir",
        "what": "ne neyi neye neyin neyle neyden nedir neydi nesi nesidir neler neleri nelere "
        "nelerin nelerden nelerdir nelerdi",
        "which": "hangi hangisi* hangileri*",
        "when": "ne_zaman* hangi_yıl* hangi_tarih* hangi_gün* hangi_ay hangi_ayda hangi_yüzyıl* "
        "kaç_yılı* saat_kaç* kaçta kaçıncı_yüzyıl*",
        "where": "nerede nerde nereye nereden neresi neresidir neresinde neresinden neresine "
        "nereli neredeydi nerededir neredendir nerelerde nerelerdir nereleri nereler nerenin "
        "nereyi",
        "why": "neden niçin niye",
        "how": "nasıl nasıldır nasıldı ne_şekilde",
        "how many": "kaç kaça kaçı kaçını kaçıdır kaçtır kaçtı kaçıncı* ne_kadar* ne_sıklıkta "
        "ne_sıklıkla",
        "skip": "ne_yazık_ki",
    },
    "vi": {
        "who": "ai",
        "what": "gì",
        "which": "nào",
        "when": "khi_nào bao_giờ lúc_nào hồi_nào năm_nào ngày_nào tháng_nào thời_gian_nào "
        "thời_điểm_nào giai_đoạn_nào thế_kỷ_nào thập_kỷ_nào thập_niên_nào mấy_giờ năm_mấy "
        "năm_bao_nhiêu",
        "where": "đâu nơi_nào chỗ_nào",
        "why": "tại_sao vì_sao sao_lại lý_do_gì lí_do_gì",
        "how": "thế_nào làm_sao ra_sao cách_nào",
        "how many": "bao_nhiêu mấy bao_lâu bao_xa",
        "other": "thì_sao",
        # Egypt and Ireland begin as who does.
        "skip": "ai_cập ai_len ai-len ai_nhĩ_lan",
    },
    "zh": {
        "who": "谁 哪位 哪一位 什么人 何人 哪个人 哪些人 哪一个人",
        "what": "什么 啥 何 称为什么 名为什么 成为什么 认为什么 作为什么 视为什么 改为什么 "
        "分为什么 译为什么 变为什么 定为什么 更为什么",
        "which": "哪 何种 在哪个 在哪些 在哪一 在哪几 在哪种 在哪家 在哪部 在哪座 在哪条 在哪场 "
        "在哪支 在哪国 在哪所 在哪本 在哪篇 在哪方",
        "when": "什么时候 什么时间 什么年代 什么日期 何时 何年 几点 几时 几月 几号 几几年 哪年 "
        "哪天 哪月 哪日 哪一年 哪几年 哪一天 哪个月 哪个年代 哪个年份 哪个世纪 哪一世纪 哪个时期 "
        "在哪年 在哪天 在哪一年 在哪几年 在哪一天 在哪个月 在哪个年代 在哪个世纪 在哪个时期",
        "where": "哪里 哪儿 何处 何地 从何 什么地方 什么位置 哪个地方 哪些地方 在哪 在哪里 在哪儿 "
        "在哪个地方 在哪些地方",
        "why": "为什么 为何 为啥 何以 什么原因",
        "how": "怎 如何",
        "how many": "多少 几 多大 多久 多长 多高 多远 多重 多深 多快 多宽",
        "yes/no": "是否 是不是 有没有 能不能 会不会 可不可以 对不对 能否 可否 有无 要不要 算不算",
        # 任何: any; 几乎: nearly; 许多大学: many universities; …
        "skip": "任何 几乎 几何 几率 几内亚 茶几 好几 十几 多大学 多大陆 多长江 多高中 多高校 "
        "多高等 多重要",
    },
}

# What may stand before the word that begins a clause: joining words and prepositions.
BEFORE: Final = {
    "ar": "و ثم لكن إذن",
    "de": "und aber oder also dann",
    "en": "and but so or also then well ok okay now",
    "es": "y e pero o entonces a al de del en con por para desde hasta sobre según",
    "fi": "ja mutta tai no niin",
    "fr": "et mais ou alors donc à de en avec par pour sur dans depuis",
    "hi": "और लेकिन तो फिर",
    "it": "e ed ma o allora quindi a di da in con su per tra fra",
    "pt": "e mas ou então a de em com por para desde até sobre",
    "ru": "а и но или в во на из с со о об к по до от у за для",
}

# Forms of verbs that begin a question to be answered by yes or no.
VERBS: Final = {
    "de": "ist sind war waren wird werden wurde wurden würde würden hat haben hatte hatten kann "
    "können konnte konnten könnte muss müssen musste darf dürfen soll sollen sollte will wollen "
    "gibt gab bin bist habe",
    "en": "is isn't are aren't was wasn't were weren't am do don't does doesn't did didn't have "
    "haven't has hasn't had hadn't can can't could couldn't will won't would wouldn't shall "
    "should shouldn't may might must",
    "es": "es son fue fueron era eran hay hubo había ha han tiene tienen tuvo existe existen puede "
    "pueden está están estaba debe",
    "fr": "est-ce_que est-ce_qu'* est-il est-elle sont-ils sont-elles était-il était-elle y_a-t-il "
    "a-t-il a-t-elle ont-ils ont-elles peut-on",
    "it": "è sono era erano fu furono c'è ci_sono c'era c'erano ha hanno aveva può possono esiste "
    "esistono deve",
    "pt": "é são foi foram era eram há havia tem têm teve existe existem pode podem está estão "
    "estava deve",
}

# Signs of a question to be answered by yes or no that outweigh any question word in it.
YES_NO_SIGNS: Final = {
    "fi": r"^(?:(?:ja|mutta|no)\s+)?(?!(?:montako|paljonko|moniko|monesko)\b)\w{2,}k[oö]\b",
    "hi": r"^क्या\s+(?!है|हैं|था|थी|थे|हुआ|हुई|होता|होती|कारण)"
    r"|(?:है|हैं|हूँ|था|थे|थी|थीं)\s+क्या\s*\?*$",
    "ru": r"\bли\b",
    "th": r"(?:ไหม|มั้ย|หรือไม่|หรือเปล่า|รึเปล่า|หรือยัง)(?:คะ|ครับ|ค่ะ)?[\s?]*$",
    "tr": r"\bm[ıiuü](?:d[ıiu]r\w*|yd[ıiuü]\w*|s[ıiuü]n\w*|y[ıiuü][mz]|ym[ıiuü]ş\w*)?\b"
    # müdür is a director too.
    r"|\bmüdür[\s?]*$",
    "vi": r"\b(?:không|chưa|à|hả)[\s?]*$|\bcó phải\b|^liệu\b",
    "zh": r"吗[\s?。]*$",
}
# The same, where no question word is found.
YES_NO_ENDINGS: Final = {
    "ja": r"(?:か|かな|かい|の|でしょう|だろう|よね)[\s?。]*$",
    "ko": r"(?:까|까요|나요|가요|니|냐|지요|죠|[는은던인한]가|어요|아요|해요|예요|에요)[\s?]*$",
}
