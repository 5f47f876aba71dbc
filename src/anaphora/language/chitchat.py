"""What people say to an assistant beside their questions: about itself, and to pass the time.

Only what is said to the assistant and to nobody else. A phrase that could also ask about what the
talk is on, such as "Wer sind sie?" or "何ができますか", is a question and not listed.
"""

from __future__ import annotations

from typing import Final

ABOUT: Final = {
    "ar": """
        من أنت | من انت | ما أنت | ما اسمك | ما هو اسمك | ماذا يمكنك أن تفعل | بماذا يمكنك مساعدتي
        كيف يمكنك مساعدتي | هل يمكنك مساعدتي | كيف تعمل أنت | هل أنت روبوت | هل أنت إنسان
        هل أنت حقيقي | من صنعك | من برمجك | كم عمرك | من أين أنت | عرفني بنفسك | حدثني عن نفسك
        ساعدني
    """,
    "de": """
        wer bist du | was bist du | wie heißt du | wie ist dein name | hast du einen namen
        was kannst du | was kannst du alles | was kannst du für mich tun
        was können sie für mich tun | wie kannst du mir helfen | wie können sie mir helfen
        was kann ich dich fragen | was weißt du | wie funktionierst du | bist du ein roboter
        sind sie ein roboter | bist du ein bot | bist du ein mensch | sind sie ein mensch
        bist du eine ki | bist du echt | wer hat dich gemacht | wer hat dich erschaffen
        wer hat dich programmiert | wie alt bist du | woher kommst du | wo wohnst du
        stell dich vor | stellen sie sich vor | erzähl mir von dir | erzähl etwas über dich
        kannst du mir helfen | können sie mir helfen | hilf mir | bist du da
    """,
    "en": """
        who are you | who r u | what are you | what is your name | what's your name
        do you have a name | what can you do | what can you do for me | what do you do
        what do you know | how can you help | how can you help me | what can i ask you
        how do you work | are you a robot | are you a bot | are you human | are you a human
        are you real | are you an ai | are you chatgpt | are you a machine | who made you
        who created you | who built you | how old are you | where are you from | where do you live
        introduce yourself | tell me about yourself | can you help me | help me | are you there
    """,
    "es": """
        quién eres | quién eres tú | quién es usted | qué eres | cómo te llamas
        cuál es tu nombre | tienes nombre | qué puedes hacer | qué puedes hacer por mí
        qué sabes hacer | qué sabes | qué haces tú | cómo puedes ayudarme | en qué puedes ayudarme
        qué puedo preguntarte | cómo funcionas | eres un robot | eres un bot | eres humano
        eres una persona | eres real | eres una ia | quién te creó | quién te hizo
        quién te programó | cuántos años tienes | de dónde eres | dónde vives | preséntate
        háblame de ti | cuéntame sobre ti | puedes ayudarme | me puedes ayudar | ayúdame
        estás ahí
    """,
    "fi": """
        kuka olet | kuka sinä olet | kuka sä oot | mikä sinä olet | mikä olet
        mikä sinun nimesi on | mikä nimesi on | mitä osaat | mitä sinä osaat | mitä osaat tehdä
        mitä voit tehdä | mitä tiedät | miten voit auttaa | miten voit auttaa minua
        mitä voin kysyä sinulta | miten sinä toimit | oletko robotti | oletko botti
        oletko ihminen | oletko tekoäly | oletko oikea | kuka sinut teki | kuka sinut loi
        kuinka vanha olet | mistä olet kotoisin | missä asut | esittele itsesi | kerro itsestäsi
        voitko auttaa | voitko auttaa minua | auta minua | oletko siellä
    """,
    "fr": """
        qui es-tu | qui êtes-vous | tu es qui | vous êtes qui | qu'es-tu | comment t'appelles-tu
        comment tu t'appelles | comment vous appelez-vous | quel est ton nom | quel est votre nom
        que peux-tu faire | que pouvez-vous faire | que sais-tu faire | que savez-vous faire
        qu'est-ce que tu peux faire | qu'est-ce que vous pouvez faire
        qu'est-ce que tu sais faire | comment peux-tu m'aider | comment pouvez-vous m'aider
        que puis-je te demander | que puis-je vous demander | comment fonctionnes-tu
        es-tu un robot | êtes-vous un robot | tu es un robot | es-tu humain | êtes-vous humain
        es-tu une ia | es-tu réel | qui t'a créé | qui vous a créé | qui t'a fait | quel âge as-tu
        quel âge avez-vous | d'où viens-tu | où habites-tu | présente-toi | présentez-vous
        parle-moi de toi | parlez-moi de vous | peux-tu m'aider | pouvez-vous m'aider | aide-moi
        aidez-moi | es-tu là
    """,
    "hi": """
        आप कौन हैं | आप कौन हो | तुम कौन हो | तू कौन है | आप क्या हैं | आपका नाम क्या है
        तुम्हारा नाम क्या है | आप क्या कर सकते हैं | आप क्या कर सकती हैं | तुम क्या कर सकते हो
        आप मेरी मदद कैसे कर सकते हैं | आप मेरी क्या मदद कर सकते हैं | मैं आपसे क्या पूछ सकता हूँ
        मैं आपसे क्या पूछ सकती हूँ | आप कैसे काम करते हैं | क्या आप रोबोट हैं | क्या तुम रोबोट हो
        क्या आप इंसान हैं | क्या तुम इंसान हो | आपको किसने बनाया | तुम्हें किसने बनाया
        आपकी उम्र क्या है | आप कहाँ से हैं | आप कहाँ रहते हैं | अपना परिचय दीजिए
        अपने बारे में बताइए | अपने बारे में बताओ | क्या आप मेरी मदद कर सकते हैं | मेरी मदद कीजिए
        मेरी मदद करो
    """,
    "it": """
        chi sei | chi sei tu | tu chi sei | cosa sei | che cosa sei | come ti chiami
        qual è il tuo nome | hai un nome | cosa puoi fare | che cosa puoi fare | cosa sai fare
        che cosa sai fare | cosa puoi fare per me | cosa fai | come puoi aiutarmi
        cosa posso chiederti | come funzioni | sei un robot | sei un bot | sei umano
        sei una persona | sei una ia | sei reale | sei vero | chi ti ha creato | chi ti ha fatto
        chi ti ha programmato | quanti anni hai | di dove sei | da dove vieni | dove vivi
        presentati | parlami di te | raccontami di te | puoi aiutarmi | mi puoi aiutare | aiutami
        ci sei
    """,
    "ja": """
        あなたは誰 | あなたは誰ですか | あなたはだれですか | 君は誰 | きみはだれ | お前は誰だ
        あなたは何者ですか | あなたは何ですか | あなたの名前は | あなたの名前は何ですか
        あなたのお名前は | 君の名前は何 | あなたは何ができますか | あなたは何ができるの
        あなたに何ができますか | 君は何ができるの | あなたは何を知っていますか
        どうやって手伝ってくれますか | あなたに何を聞けますか | あなたはロボットですか
        あなたはロボット | あなたは人間ですか | あなたは人間 | あなたはaiですか
        誰があなたを作りましたか | 誰があなたを作ったの | あなたは何歳ですか
        あなたはどこから来ましたか | 自己紹介して | 自己紹介してください | あなたについて教えて
        あなたについて教えてください | 手伝って | 手伝ってください | 手伝ってくれますか | 助けて
        助けてください
    """,
    "ko": """
        누구세요 | 너 누구야 | 너는 누구야 | 넌 누구야 | 넌 누구니 | 당신은 누구입니까
        당신은 누구세요 | 당신은 누구인가요 | 너는 뭐야 | 넌 뭐야 | 네 이름이 뭐야
        너 이름이 뭐야 | 너의 이름은 뭐야 | 당신의 이름은 무엇입니까 | 당신 이름이 뭐예요
        너는 뭘 할 수 있어 | 넌 뭘 할 수 있어 | 너 뭐 할 수 있어 | 당신은 무엇을 할 수 있습니까
        당신은 무엇을 할 수 있나요 | 당신은 뭘 할 수 있나요 | 저를 어떻게 도와줄 수 있나요
        어떻게 도와줄 수 있어 | 너 로봇이야 | 너는 로봇이야 | 당신은 로봇입니까
        당신은 로봇인가요 | 너 사람이야 | 당신은 사람입니까 | 당신은 사람인가요
        누가 너를 만들었어 | 누가 당신을 만들었나요 | 너 몇 살이야 | 당신은 몇 살입니까
        너는 어디에서 왔어 | 자기소개 해줘 | 자기소개 해주세요 | 자기소개해 줘 | 너에 대해 말해줘
        도와줘 | 도와주세요 | 도와줄래 | 도와주실 수 있나요
    """,
    "pt": """
        quem é você | quem és tu | quem és | você é quem | o que é você | qual é o seu nome
        qual é o teu nome | como você se chama | como te chamas | você tem nome
        o que você pode fazer | o que você sabe fazer | o que podes fazer | o que sabes fazer
        o que você faz | o que pode fazer por mim | como você pode me ajudar
        como podes ajudar-me | como me podes ajudar | o que posso te perguntar
        o que posso perguntar-te | como você funciona | você é um robô | és um robô
        você é um bot | você é humano | és humano | você é uma ia | você é real | quem te criou
        quem criou você | quem fez você | quantos anos você tem | quantos anos tens
        de onde você é | de onde és | onde você mora | apresente-se | apresenta-te
        fale sobre você | fala-me de ti | você pode me ajudar | podes ajudar-me | me ajude
        ajuda-me | me ajuda
    """,
    "ru": """
        кто ты | ты кто | кто ты такой | кто ты такая | кто вы | вы кто | кто вы такой
        что ты такое | как тебя зовут | как вас зовут | у тебя есть имя | что ты умеешь
        что вы умеете | что ты можешь | что ты умеешь делать | что вы умеете делать
        что ты можешь делать | чем ты можешь помочь | чем вы можете помочь
        как ты можешь мне помочь | как вы можете мне помочь | что у тебя можно спросить
        что ты знаешь | как ты работаешь | ты робот | вы робот | ты бот | ты человек | вы человек
        ты настоящий | ты живой | кто тебя создал | кто вас создал | кто тебя сделал
        сколько тебе лет | сколько вам лет | откуда ты | где ты живёшь | представься
        представьтесь | расскажи о себе | расскажите о себе | ты можешь мне помочь
        вы можете мне помочь | помоги мне | помогите мне | ты здесь | ты тут
    """,
    "th": """
        คุณคือใคร | คุณเป็นใคร | เธอเป็นใคร | นายเป็นใคร | คุณคืออะไร | คุณชื่ออะไร | คุณมีชื่อไหม
        คุณทำอะไรได้บ้าง | คุณทำอะไรได้ | คุณช่วยอะไรได้บ้าง | คุณช่วยอะไรฉันได้บ้าง | คุณช่วยอะไรผมได้บ้าง
        คุณช่วยฉันได้ไหม | คุณช่วยผมได้ไหม | ถามอะไรคุณได้บ้าง | คุณทำงานอย่างไร | คุณเป็นหุ่นยนต์หรือเปล่า
        คุณเป็นหุ่นยนต์ไหม | คุณเป็นบอทหรือเปล่า | คุณเป็นคนหรือเปล่า | คุณเป็นมนุษย์หรือเปล่า | ใครสร้างคุณ
        คุณอายุเท่าไร | คุณอายุเท่าไหร่ | คุณมาจากไหน | คุณอยู่ที่ไหน | แนะนำตัวหน่อย | ช่วยแนะนำตัวหน่อย
        เล่าเรื่องของคุณหน่อย | ช่วยฉันหน่อย | ช่วยผมหน่อย | ช่วยหน่อย
    """,
    "tr": """
        sen kimsin | kimsin | kimsin sen | siz kimsiniz | kimsiniz | sen nesin | adın ne
        senin adın ne | adınız ne | ismin ne | ne yapabilirsin | ne yapabilirsiniz
        neler yapabilirsin | neler yapabiliyorsun | benim için ne yapabilirsin
        bana nasıl yardım edebilirsin | bana nasıl yardımcı olabilirsin
        nasıl yardımcı olabilirsin | sana ne sorabilirim | nasıl çalışıyorsun | robot musun
        sen robot musun | bot musun | insan mısın | sen insan mısın | yapay zeka mısın
        gerçek misin | seni kim yaptı | seni kim yarattı | kaç yaşındasın | nerelisin
        nerede yaşıyorsun | kendini tanıt | kendinizi tanıtın | bana kendinden bahset
        bana yardım edebilir misin | bana yardım edebilir misiniz | bana yardım et
        yardım eder misin | orada mısın
    """,
    "vi": """
        bạn là ai | bạn là gì | mày là ai | bạn tên là gì | bạn tên gì | tên bạn là gì
        tên của bạn là gì | bạn có thể làm gì | bạn có thể làm những gì | bạn làm được gì
        bạn làm được những gì | bạn biết làm gì | bạn biết những gì | bạn có thể giúp gì cho tôi
        bạn có thể giúp gì | bạn giúp được gì | tôi có thể hỏi bạn những gì
        tôi có thể hỏi bạn gì | bạn hoạt động như thế nào | bạn có phải là robot không
        bạn là robot à | bạn có phải là người không | bạn có phải là con người không
        bạn là người hay máy | ai tạo ra bạn | ai đã tạo ra bạn | ai làm ra bạn
        bạn bao nhiêu tuổi | bạn mấy tuổi | bạn đến từ đâu | bạn sống ở đâu
        hãy giới thiệu về bạn | giới thiệu về bạn đi | hãy kể về bạn | bạn có thể giúp tôi không
        bạn giúp tôi được không | giúp tôi | giúp tôi với | bạn có đó không
    """,
    "zh": """
        你是谁 | 您是谁 | 你是誰 | 您是誰 | 你是什么 | 你是什么人 | 你叫什么 | 你叫什么名字
        你叫什麼名字 | 您叫什么名字 | 你的名字是什么 | 你有名字吗 | 你能做什么 | 你可以做什么
        你会做什么 | 你会什么 | 你能干什么 | 你能做什麼 | 你可以做什麼 | 你能帮我做什么
        你能为我做什么 | 你怎么帮我 | 你能怎么帮我 | 我可以问你什么 | 我能问你什么 | 你知道什么
        你是怎么工作的 | 你是机器人吗 | 你是機器人嗎 | 你是人吗 | 你是真人吗 | 你是人类吗
        你是人工智能吗 | 谁创造了你 | 谁发明了你 | 是谁创造了你 | 誰創造了你 | 你多大了 | 你几岁了
        你几岁 | 你来自哪里 | 你是哪里人 | 你住在哪里 | 介绍一下你自己 | 自我介绍一下
        请介绍一下你自己 | 介紹一下你自己 | 你能帮我吗 | 你可以帮我吗 | 你能幫我嗎 | 帮帮我 | 帮我
    """,
}
"""Who or what the assistant is, and what it can do; by language, in its own writing."""

CHAT: Final = {
    "ar": """
        قل لي نكتة | احك لي نكتة | احكي لي نكتة | أخبرني نكتة | هل تعرف نكتة | أضحكني | غن لي
        غن لي أغنية | احك لي قصة | أحبك | أنا أحبك | هل تحبني | أكرهك | أنت غبي | أنت أحمق
        يا غبي | اسكت | اصمت | اخرس | أنت رائع | أنت ذكي | أنت مضحك | أشعر بالملل
        أنا أشعر بالملل | أنا حزين | أنا متعب | أنا سعيد | هل تتزوجني | ماذا تفعل الآن | تحدث معي
    """,
    "de": """
        erzähl mir einen witz | erzähl einen witz | erzähle mir einen witz | kennst du einen witz
        kennst du witze | bring mich zum lachen | sing mir ein lied | sing ein lied
        erzähl mir eine geschichte | ich liebe dich | ich mag dich | liebst du mich
        magst du mich | heirate mich | willst du mich heiraten | ich hasse dich | du bist dumm
        du bist doof | du bist blöd | du bist ein idiot | du idiot | du bist nutzlos
        halt die klappe | halt den mund | leck mich | verpiss dich | scheiße | du bist toll
        du bist super | du bist schlau | du bist lustig | mir ist langweilig | ich bin müde
        ich bin traurig | ich bin glücklich | was machst du | was machst du gerade | rede mit mir
        sprich mit mir
    """,
    "en": """
        tell me a joke | tell a joke | tell us a joke | tell me another joke
        tell me something funny | do you know a joke | do you know any jokes | make me laugh
        sing me a song | sing a song | tell me a story | i love you | i like you | do you love me
        do you like me | will you marry me | marry me | i hate you | you are stupid
        you're stupid | stupid bot | you idiot | you're an idiot | you are an idiot | you are dumb
        you're dumb | you suck | this sucks | shut up | fuck you | fuck off | fuck | shit
        go to hell | you are useless | you're useless | you are funny | you're funny
        you are great | you're great | you're the best | you are the best | you are smart
        you're smart | i'm bored | i am bored | i'm tired | i am tired | i'm sad | i am sad
        i'm happy | i am happy | what are you doing | what are you thinking | talk to me
        let's talk | let's chat | can we talk
    """,
    "es": """
        cuéntame un chiste | dime un chiste | cuenta un chiste | sabes algún chiste | hazme reír
        cántame una canción | canta una canción | cuéntame un cuento | cuéntame una historia
        te amo | te quiero | me amas | me quieres | cásate conmigo | te odio | eres tonto
        eres tonta | eres estúpido | eres un idiota | eres inútil | cállate | vete a la mierda
        vete al infierno | mierda | eres genial | eres el mejor | eres inteligente | eres gracioso
        estoy aburrido | estoy aburrida | me aburro | estoy cansado | estoy cansada | estoy triste
        estoy feliz | qué estás haciendo | habla conmigo
    """,
    "fi": """
        kerro vitsi | kerro minulle vitsi | kerro joku vitsi | tiedätkö vitsiä | osaatko vitsejä
        naurata minua | laula laulu | laula minulle | kerro tarina | kerro minulle tarina
        minä rakastan sinua | rakastan sinua | rakastatko minua | tykkään sinusta
        menetkö kanssani naimisiin | vihaan sinua | olet tyhmä | sinä olet tyhmä | olet idiootti
        olet hyödytön | ole hiljaa | turpa kiinni | haista paska | paska | olet mahtava
        olet paras | olet fiksu | olet hauska | minulla on tylsää | on tylsää | olen väsynyt
        olen surullinen | olen onnellinen | mitä teet | mitä sinä teet | puhu minulle
    """,
    "fr": """
        raconte-moi une blague | racontez-moi une blague | raconte une blague | dis-moi une blague
        tu connais une blague | connais-tu une blague | fais-moi rire | chante-moi une chanson
        chante une chanson | raconte-moi une histoire | je t'aime | je t'aime bien | tu m'aimes
        m'aimes-tu | épouse-moi | veux-tu m'épouser | je te déteste | tu es bête | tu es stupide
        tu es nul | tu es idiot | tu es un idiot | espèce d'idiot | tu es inutile | tais-toi
        ferme-la | ta gueule | va te faire foutre | merde | tu es génial | tu es super
        tu es le meilleur | tu es intelligent | tu es drôle | je m'ennuie | je suis fatigué
        je suis fatiguée | je suis triste | je suis heureux | je suis heureuse | que fais-tu
        qu'est-ce que tu fais | parle-moi
    """,
    "hi": """
        मुझे एक चुटकुला सुनाओ | एक चुटकुला सुनाओ | कोई चुटकुला सुनाओ | मुझे एक चुटकुला सुनाइए
        चुटकुला सुनाओ | एक चुटकुला सुनाइए | मुझे हँसाओ | गाना सुनाओ | एक गाना गाओ
        मुझे एक कहानी सुनाओ | एक कहानी सुनाओ | मैं तुमसे प्यार करता हूँ | मैं तुमसे प्यार करती हूँ
        मैं आपसे प्यार करता हूँ | क्या तुम मुझसे प्यार करते हो | मुझसे शादी करोगे | मुझसे शादी करोगी
        मैं तुमसे नफ़रत करता हूँ | तुम बेवकूफ़ हो | तुम बेवकूफ हो | आप बेवकूफ हैं | तुम मूर्ख हो
        तुम बेकार हो | चुप रहो | चुप हो जाओ | आप बहुत अच्छे हैं | तुम बहुत अच्छे हो
        तुम बहुत मज़ेदार हो | मैं बोर हो रहा हूँ | मैं बोर हो रही हूँ | मैं थक गया हूँ
        मैं दुखी हूँ | मैं खुश हूँ | तुम क्या कर रहे हो | आप क्या कर रहे हैं | मुझसे बात करो
    """,
    "it": """
        raccontami una barzelletta | dimmi una barzelletta | racconta una barzelletta
        sai una barzelletta | conosci una barzelletta | fammi ridere | cantami una canzone
        canta una canzone | raccontami una storia | ti amo | ti voglio bene | mi ami | sposami
        vuoi sposarmi | ti odio | sei stupido | sei stupida | sei un idiota | sei scemo
        sei inutile | stai zitto | sta' zitto | taci | vaffanculo | vai al diavolo | merda
        sei fantastico | sei il migliore | sei intelligente | sei divertente | mi annoio
        sono stanco | sono stanca | sono triste | sono felice | cosa stai facendo
        che cosa stai facendo | parlami | parla con me
    """,
    "ja": """
        冗談を言って | 冗談を言ってください | ジョークを言って | ジョークを教えて
        何か面白いことを言って | 何か面白いこと言って | 面白い話をして | 笑わせて | 歌を歌って
        歌って | お話をして | 愛してる | 愛しています | 好きです | 大好き | あなたが好きです
        私のこと好き | 私のことが好きですか | 結婚して | 結婚してください | 嫌い | 大嫌い | バカ
        ばか | 馬鹿 | あなたはバカですね | アホ | 役立たず | 黙れ | うるさい | 死ね | くそ
        あなたはすごいですね | 賢いですね | 面白いですね | 暇 | 暇です | 暇だ | 退屈です
        つまらない | 疲れた | 疲れました | 悲しい | 悲しいです | 嬉しい | 今何してるの
        話し相手になって | お話ししましょう
    """,
    "ko": """
        농담해 줘 | 농담해줘 | 농담 하나 해줘 | 농담 하나 해 주세요 | 농담해 주세요
        재미있는 이야기 해줘 | 재미있는 얘기 해줘 | 웃겨 줘 | 웃겨줘 | 노래 불러줘 | 노래 불러 줘
        노래해 줘 | 이야기 해줘 | 옛날이야기 해줘 | 사랑해 | 사랑해요 | 사랑합니다 | 나 사랑해
        나랑 결혼해 줘 | 결혼해 줘 | 미워 | 싫어 | 네가 싫어 | 너 바보야 | 바보 | 바보야 | 멍청이
        멍청아 | 너 멍청해 | 쓸모없어 | 닥쳐 | 시끄러워 | 조용히 해 | 꺼져 | 젠장 | 너 최고야
        똑똑하네 | 재미있네 | 심심해 | 심심해요 | 지루해 | 피곤해 | 슬퍼 | 기뻐 | 뭐 해 | 뭐해
        뭐 하고 있어 | 나랑 얘기하자 | 나랑 놀자
    """,
    "pt": """
        conte uma piada | me conte uma piada | me conta uma piada | conta uma piada
        conta-me uma piada | diga uma piada | você sabe alguma piada | sabes alguma piada
        me faça rir | cante uma música | canta uma música | cante uma canção
        me conte uma história | conta-me uma história | eu te amo | te amo | amo-te
        gosto de você | você me ama | casa comigo | quer casar comigo | eu te odeio | te odeio
        odeio-te | você é burro | você é burra | você é estúpido | és estúpido | és burro
        você é um idiota | você é inútil | cale a boca | cala a boca | cala-te | vá se foder
        vá para o inferno | merda | você é ótimo | você é demais | você é o melhor
        você é inteligente | você é engraçado | estou entediado | estou entediada | estou cansado
        estou cansada | estou triste | estou feliz | o que você está fazendo | o que estás a fazer
        fale comigo | fala comigo
    """,
    "ru": """
        расскажи анекдот | расскажи мне анекдот | расскажите анекдот | расскажи шутку
        расскажи мне шутку | пошути | знаешь анекдот | рассмеши меня | спой песню | спой мне песню
        спой | расскажи сказку | расскажи мне сказку | я тебя люблю | я люблю тебя
        ты меня любишь | ты мне нравишься | выходи за меня | женись на мне | я тебя ненавижу
        ты тупой | ты тупая | ты глупый | ты дурак | ты идиот | ты бесполезен | ты бесполезный
        заткнись | замолчи | пошёл ты | пошел ты | иди к чёрту | ты молодец | ты лучший | ты умный
        ты смешной | ты классный | мне скучно | скучно | я устал | я устала | мне грустно
        я счастлив | что ты делаешь | что делаешь | поговори со мной | давай поговорим
        давай поболтаем
    """,
    "th": """
        เล่าเรื่องตลกหน่อย | เล่าเรื่องตลกให้ฟังหน่อย | เล่าเรื่องตลก | เล่ามุกตลกหน่อย | เล่นมุกหน่อย
        ทำให้ฉันหัวเราะหน่อย | ร้องเพลงหน่อย | ร้องเพลงให้ฟังหน่อย | เล่านิทานหน่อย | เล่านิทานให้ฟังหน่อย
        ฉันรักคุณ | ผมรักคุณ | รักนะ | คุณรักฉันไหม | แต่งงานกับฉันไหม | แต่งงานกันไหม | ฉันเกลียดคุณ
        ผมเกลียดคุณ | คุณโง่ | คุณมันโง่ | โง่ | ไอ้โง่ | งี่เง่า | ไร้ประโยชน์ | หุบปาก | เงียบ | ไปตายซะ
        คุณเก่งมาก | คุณเก่งจัง | คุณฉลาดมาก | คุณตลกจัง | เบื่อ | เบื่อจัง | ฉันเบื่อ | ผมเบื่อ | เหนื่อย
        ฉันเหนื่อย | ฉันเศร้า | ฉันมีความสุข | คุณกำลังทำอะไร | คุณทำอะไรอยู่ | คุยกับฉันหน่อย
        คุยกับผมหน่อย | คุยกันหน่อย
    """,
    "tr": """
        bana bir fıkra anlat | bir fıkra anlat | fıkra anlat | bana fıkra anlat | şaka yap
        bana bir şaka yap | beni güldür | bana şarkı söyle | bir şarkı söyle | şarkı söyle
        bana bir hikaye anlat | bana bir masal anlat | seni seviyorum | beni seviyor musun
        benimle evlenir misin | benimle evlen | senden nefret ediyorum | aptalsın | sen aptalsın
        çok aptalsın | salaksın | sen salaksın | aptal | salak | işe yaramazsın | kapa çeneni
        sus | siktir | siktir git | defol | lanet olsun | harikasın | sen harikasın | çok iyisin
        çok akıllısın | çok komiksin | sıkıldım | canım sıkılıyor | canım sıkıldı | yorgunum
        mutluyum | ne yapıyorsun | benimle konuş | hadi konuşalım
    """,
    "vi": """
        kể chuyện cười đi | kể cho tôi một câu chuyện cười | kể một câu chuyện cười
        hãy kể một câu chuyện cười | kể chuyện cười cho tôi nghe | làm tôi cười đi | hát đi
        hát cho tôi nghe | hát một bài đi | kể cho tôi một câu chuyện | kể chuyện đi | tôi yêu bạn
        anh yêu em | em yêu anh | tôi thích bạn | bạn có yêu tôi không | bạn có thích tôi không
        cưới tôi nhé | lấy tôi nhé | tôi ghét bạn | bạn ngu quá | bạn thật ngu ngốc | bạn ngu ngốc
        đồ ngu | đồ ngốc | đồ vô dụng | bạn vô dụng | im đi | im mồm | cút đi | chết tiệt
        bạn giỏi quá | bạn thật tuyệt | bạn thông minh quá | bạn vui tính quá | tôi chán quá
        chán quá | buồn chán quá | tôi buồn | tôi buồn quá | tôi mệt | tôi mệt quá | tôi vui
        bạn đang làm gì | bạn đang làm gì vậy | nói chuyện với tôi đi | nói chuyện với tôi
    """,
    "zh": """
        讲个笑话 | 讲一个笑话 | 给我讲个笑话 | 给我讲一个笑话 | 说个笑话 | 跟我讲个笑话 | 講個笑話
        給我講個笑話 | 你会讲笑话吗 | 逗我笑 | 唱首歌 | 唱个歌 | 给我唱首歌 | 讲个故事
        给我讲个故事 | 我爱你 | 我愛你 | 我喜欢你 | 你爱我吗 | 你喜欢我吗 | 嫁给我 | 和我结婚吧
        我讨厌你 | 我恨你 | 你真笨 | 你好笨 | 你太笨了 | 笨蛋 | 你是笨蛋 | 你是傻瓜 | 傻瓜
        你是白痴 | 傻逼 | 你真没用 | 没用的东西 | 闭嘴 | 閉嘴 | 滚 | 滚开 | 去死 | 他妈的 | 该死
        你真聪明 | 你好聪明 | 你真厉害 | 你真好 | 你真有趣 | 你真可爱 | 好无聊 | 我好无聊
        我很无聊 | 无聊 | 我累了 | 好累 | 我很难过 | 我很伤心 | 我很开心 | 你在干什么 | 你在干嘛
        你在做什么 | 陪我聊天 | 陪我聊聊 | 和我聊天 | 聊聊天吧
    """,
}
"""Jokes, feelings, praise and insults; by language, in its own writing."""
