"""Greetings, thanks, farewells and assent, as people say them in each target language."""

from __future__ import annotations

from typing import Final

COURTESIES: Final = {
    "ar": (
        """
        مرحبا | مرحباً | مرحبا بك | مرحبا بكم | أهلا | أهلاً | أهلا وسهلا | أهلاً وسهلاً | أهلا بك
        هلا | السلام عليكم | السلام عليكم ورحمة الله | السلام عليكم ورحمة الله وبركاته
        وعليكم السلام | صباح الخير | صباح النور | مساء الخير | مساء النور | تصبح على خير
        كيف حالك | كيف الحال | كيف حالكم | كيفك | تشرفنا | سررت بلقائك
        """,
        """
        شكرا | شكراً | شكرا لك | شكراً لك | شكرا لكم | شكرا جزيلا | شكراً جزيلاً | شكرا جزيلا لك
        ألف شكر | شكرا على المساعدة | شكرا لمساعدتك | أشكرك | جزاك الله خيرا
        """,
        "مع السلامة | وداعا | وداعاً | إلى اللقاء | أراك لاحقا | أراك قريبا",
        """
        نعم | لا | لا شكرا | نعم شكرا | حسنا | حسناً | تمام | موافق | أوكي | من فضلك | لو سمحت
        عفوا | عفواً | آسف | آسفة | ممتاز | جيد | جيد جدا | رائع | جميل | فهمت | مفهوم | بالتأكيد
        طبعا | هذا كل شيء
        """,
    ),
    "de": (
        """
        hallo | hallo zusammen | guten tag | guten morgen | guten abend | gute nacht | moin
        moin moin | servus | grüß gott | grüezi | grüß dich | hi du | na | wie geht's
        wie geht es dir | wie geht es ihnen
        """,
        """
        danke | danke schön | dankeschön | danke dir | danke ihnen | danke sehr | vielen dank
        vielen lieben dank | besten dank | herzlichen dank | tausend dank | danke für die hilfe
        danke für deine hilfe | danke für ihre hilfe | okay danke
        """,
        """
        tschüss | tschüß | tschau | ciao | auf wiedersehen | bis bald | bis später | bis dann
        bis morgen | mach's gut | schönen tag noch | schönen tag
        """,
        """
        ja | nein | nein danke | ja bitte | bitte | bitte schön | bitte sehr | gern | gerne
        alles klar | in ordnung | verstanden | verstehe | ach so | gut | sehr gut | prima | toll
        genau | stimmt | entschuldigung | schade | freut mich | das war's | das ist alles
        """,
    ),
    "en": (
        """
        hi | hello | hello there | hi there | hey | hey there | heya | howdy | good morning
        good afternoon | good evening | good day | greetings | how are you | how are you doing
        how are you today | how do you do | what's up | sup | nice to meet you
        pleased to meet you
        """,
        """
        thanks | thank you | thank you very much | thank you so much | thanks a lot | many thanks
        thanks so much | thanks for your help | thank you for your help | thx | ty
        much appreciated | great thanks | ok thanks | cheers
        """,
        """
        bye | bye bye | goodbye | good bye | good night | see you | see you later | see you soon
        see ya | take care | have a nice day | have a good day
        """,
        """
        that's all | that is all | ok | okay | okey | k | okay thanks | alright | all right | fine
        great | cool | nice | perfect | awesome | wonderful | excellent | super | got it | i see
        understood | sounds good | yes | yeah | yep | yup | no | nope | no thanks | no thank you
        sure | of course | sorry | please | you're welcome | well done | good job | good bot | lol
        haha | hahaha | wow | hmm | hm
        """,
    ),
    "es": (
        """
        hola | hola a todos | hola qué tal | buenas | buenos días | buen día | buenas tardes
        buenas noches | qué tal | cómo estás | cómo está | cómo están | cómo te va | mucho gusto
        encantado | encantada
        """,
        """
        gracias | muchas gracias | mil gracias | muchísimas gracias | gracias por tu ayuda
        gracias por su ayuda | gracias por la ayuda | te lo agradezco | vale gracias
        """,
        """
        adiós | chao | chau | hasta luego | hasta pronto | hasta mañana | hasta la vista
        nos vemos
        """,
        """
        vale | de acuerdo | sí | no | no gracias | sí gracias | por favor | de nada | muy bien
        bien | perfecto | genial | estupendo | excelente | entendido | entiendo | claro
        por supuesto | lo siento | perdón | disculpa | disculpe | eso es todo | buen trabajo
        """,
    ),
    "fi": (
        """
        hei | moi | moikka | terve | terve kaikille | päivää | hyvää päivää | huomenta
        hyvää huomenta | hyvää iltaa | iltaa | hyvää yötä | mitä kuuluu | miten menee
        mitä sinulle kuuluu | hauska tutustua | tervehdys
        """,
        """
        kiitos | kiitos paljon | paljon kiitoksia | kiitti | kiitoksia | suuri kiitos
        suuret kiitokset | tuhannet kiitokset | kiitos avusta | kiitos avustasi | kiitos sinulle
        kiitos teille
        """,
        "hei hei | heippa | moi moi | näkemiin | nähdään | hyvää päivänjatkoa",
        """
        kyllä | joo | juu | ei | ei kiitos | kyllä kiitos | ole hyvä | olkaa hyvä | selvä
        selvä juttu | okei | hyvä | hienoa | hieno | loistavaa | loistava | mahtavaa | ymmärrän
        ymmärretty | totta kai | tietysti | anteeksi | siinä kaikki | kiva
        """,
    ),
    "fr": (
        """
        bonjour | bonjour à tous | bonsoir | salut | coucou | ça va | comment ça va
        comment allez-vous | comment vas-tu | enchanté | enchantée
        """,
        """
        merci | merci beaucoup | merci bien | merci à vous | merci à toi | mille mercis
        un grand merci | merci infiniment | merci pour votre aide | merci pour ton aide
        je vous remercie | je te remercie | ok merci
        """,
        """
        au revoir | à bientôt | à plus | à plus tard | à demain | adieu | bonne nuit | bonne journée
        bonne soirée
        """,
        """
        d'accord | oui | non | non merci | oui merci | s'il vous plaît | s'il te plaît | de rien
        je vous en prie | très bien | parfait | super | génial | excellent | entendu | compris
        je comprends | je vois | bien sûr | désolé | désolée | pardon | c'est tout | bien
        """,
    ),
    "hi": (
        """
        नमस्ते | नमस्कार | प्रणाम | हैलो | हेलो | हाय | सुप्रभात | शुभ प्रभात | शुभ संध्या
        शुभ रात्रि | शुभ दिन | राम राम | आप कैसे हैं | आप कैसी हैं | कैसे हो | कैसे हैं आप
        क्या हाल है | आपसे मिलकर खुशी हुई
        """,
        """
        धन्यवाद | बहुत धन्यवाद | बहुत बहुत धन्यवाद | आपका धन्यवाद | आपका बहुत धन्यवाद
        आपका बहुत बहुत धन्यवाद | मदद के लिए धन्यवाद | आपकी मदद के लिए धन्यवाद | शुक्रिया
        बहुत शुक्रिया | बहुत बहुत शुक्रिया | आभार | थैंक यू | थैंक्स
        """,
        "अलविदा | फिर मिलेंगे | फिर मिलते हैं | बाय",
        """
        हाँ | हां | जी | जी हाँ | जी हां | नहीं | जी नहीं | नहीं धन्यवाद | ठीक है | ठीक | अच्छा
        बहुत अच्छा | बढ़िया | बहुत बढ़िया | शानदार | समझ गया | समझ गई | समझ गया धन्यवाद | कृपया
        माफ़ कीजिए | माफ कीजिए | क्षमा करें | कोई बात नहीं | ज़रूर | बिल्कुल | ओके | बस इतना ही
        """,
    ),
    "it": (
        """
        ciao | ciao a tutti | salve | buongiorno | buon giorno | buonasera | buona sera
        buonanotte | buona notte | buona giornata | buon pomeriggio | come va | come stai
        come sta | tutto bene | piacere | molto piacere
        """,
        """
        grazie | grazie mille | mille grazie | molte grazie | tante grazie | grazie tante
        grazie a te | grazie a lei | grazie per l'aiuto | grazie dell'aiuto | ti ringrazio
        la ringrazio | ok grazie
        """,
        "arrivederci | arrivederla | a presto | a dopo | a domani | ci vediamo | addio",
        """
        va bene | d'accordo | sì | no grazie | sì grazie | per favore | per piacere | prego
        di nulla | molto bene | bene | perfetto | ottimo | fantastico | eccellente | capito
        ho capito | certo | certamente | scusa | scusi | mi dispiace | è tutto
        """,
    ),
    "ja": (
        """
        こんにちは | こんにちわ | こんばんは | おはよう | おはようございます | おやすみ
        おやすみなさい | やあ | もしもし | ハロー | はじめまして | 初めまして | よろしく
        よろしくお願いします | どうぞよろしくお願いします | 宜しくお願いします | お元気ですか
        元気ですか | 元気 | 調子はどう | 調子はどうですか
        """,
        """
        ありがとう | 有難う | ありがとうございます | 有難うございます | ありがとうございました
        どうもありがとう | どうもありがとうございます | どうもありがとうございました
        本当にありがとう | 本当にありがとうございます | 誠にありがとうございます | どうも
        感謝します | 助かりました | 助かります | お疲れ様 | お疲れ様です | お疲れ様でした
        はいありがとうございます
        """,
        """
        さようなら | さよなら | じゃあね | じゃあまた | またね | また明日 | では また | バイバイ
        失礼します
        """,
        """
        はい | うん | ええ | いいえ | いや | 結構です | いいえ結構です | 了解 | 了解です
        了解しました | わかりました | 分かりました | わかった | 分かった | なるほど
        なるほどですね | そうですか | そうですね | そうなんですね | オーケー | いいね | いいですね
        素晴らしい | すごい | すごいですね | 完璧 | 完璧です | 最高 | もちろん | すみません
        ごめん | ごめんなさい | 申し訳ありません | どういたしまして | 以上です | お願いします
        """,
    ),
    "ko": (
        """
        안녕 | 안녕하세요 | 안녕하십니까 | 여보세요 | 하이 | 헬로 | 좋은 아침 | 좋은 아침입니다
        좋은 아침이에요 | 좋은 하루 되세요 | 좋은 저녁입니다 | 안녕히 주무세요 | 잘 자 | 잘자요
        잘 지내세요 | 잘 지내 | 어떻게 지내세요 | 반가워 | 반가워요 | 반갑습니다
        만나서 반갑습니다 | 만나서 반가워요 | 처음 뵙겠습니다
        """,
        """
        고마워 | 고마워요 | 고맙습니다 | 감사 | 감사합니다 | 감사해요 | 정말 감사합니다
        대단히 감사합니다 | 너무 감사합니다 | 정말 고마워요 | 정말 고맙습니다
        도와주셔서 감사합니다 | 도움 감사합니다 | 네 감사합니다
        """,
        """
        안녕히 계세요 | 안녕히 가세요 | 잘 가 | 잘 있어 | 또 봐요 | 또 봐 | 다음에 봐요
        나중에 봐요 | 수고하세요 | 수고하셨습니다
        """,
        """
        네 | 예 | 응 | 아니요 | 아니오 | 아니 | 괜찮아요 | 괜찮습니다 | 알겠습니다 | 알겠어요
        알았어 | 알았어요 | 그래 | 그래요 | 좋아 | 좋아요 | 좋습니다 | 오케이 | 훌륭해요
        완벽해요 | 최고예요 | 물론이죠 | 물론 | 죄송합니다 | 미안해요 | 미안합니다 | 천만에요
        별말씀을요 | 이해했습니다 | ㅇㅋ | ㄱㅅ | ㅋㅋ | ㅋㅋㅋ
        """,
    ),
    "pt": (
        """
        olá | oi | oi tudo bem | olá tudo bem | bom dia | boa tarde | boa noite | tudo bem
        tudo bom | como vai | como está | como você está | como vai você | prazer | muito prazer
        """,
        """
        obrigado | obrigada | muito obrigado | muito obrigada | obrigado pela ajuda
        obrigada pela ajuda | valeu | agradeço | brigado
        """,
        "tchau | adeus | até logo | até mais | até breve | até amanhã",
        """
        sim | não | não obrigado | não obrigada | sim obrigado | por favor | de nada | tá bom
        está bem | beleza | certo | muito bem | bem | perfeito | ótimo | excelente | entendi
        entendido | claro | com certeza | desculpe | desculpa | é só isso
        """,
    ),
    "ru": (
        """
        привет | привет всем | приветствую | здравствуйте | здравствуй | здрасьте | доброе утро
        добрый день | добрый вечер | доброй ночи | спокойной ночи | хай | как дела | как ты
        как вы | как поживаете | как поживаешь | очень приятно | рад знакомству
        """,
        """
        спасибо | большое спасибо | спасибо большое | огромное спасибо | спасибо огромное
        благодарю | благодарю вас | спасибо вам | спасибо тебе | спасибо за помощь
        большое спасибо за помощь | спс
        """,
        """
        пока | пока пока | до свидания | до встречи | до завтра | увидимся | всего доброго
        всего хорошего | прощай | прощайте | удачи
        """,
        """
        да | нет | нет спасибо | да спасибо | пожалуйста | не за что | хорошо | ладно | ок | окей
        отлично | прекрасно | замечательно | супер | круто | понятно | понял | поняла | ясно
        конечно | извините | простите | извини | согласен | согласна | это всё | это все | здорово
        договорились
        """,
    ),
    "th": (
        """
        สวัสดี | สวัสดีตอนเช้า | สวัสดีทุกคน | หวัดดี | ดี | ฮัลโหล | อรุณสวัสดิ์ | ราตรีสวัสดิ์
        ฝันดี | สบายดีไหม | เป็นอย่างไรบ้าง | เป็นไงบ้าง | ยินดีที่ได้รู้จัก
        """,
        """
        ขอบคุณ | ขอบคุณมาก | ขอบคุณมากๆ | ขอบคุณมาก ๆ | ขอบใจ | ขอบใจนะ | ขอบคุณนะ | ขอบพระคุณ
        ขอบพระคุณมาก | ขอบคุณสำหรับความช่วยเหลือ | ขอบคุณที่ช่วย | ขอบคุณที่ช่วยเหลือ
        """,
        "ลาก่อน | บาย | บ๊ายบาย | แล้วเจอกัน | แล้วพบกันใหม่ | เจอกันใหม่",
        """
        ใช่ | ไม่ | ไม่ใช่ | ไม่เป็นไร | ตกลง | โอเค | ได้ | เข้าใจแล้ว | เข้าใจ | รับทราบ | ดีมาก
        เยี่ยม | เยี่ยมมาก | เยี่ยมเลย | สุดยอด | แน่นอน | ขอโทษ | ยินดี | แค่นี้ | ครับ | ค่ะ
        จ้า
        """,
    ),
    "tr": (
        """
        merhaba | merhabalar | selam | selamlar | selamün aleyküm | günaydın | iyi günler
        iyi akşamlar | iyi geceler | nasılsın | nasılsınız | naber | ne haber | memnun oldum
        tanıştığımıza memnun oldum
        """,
        """
        teşekkürler | teşekkür ederim | çok teşekkürler | çok teşekkür ederim | çok sağ ol
        sağ ol | sağol | sağ olun | yardımın için teşekkürler | yardımınız için teşekkürler
        yardımınız için teşekkür ederim | eyvallah
        """,
        """
        görüşürüz | görüşmek üzere | hoşça kal | hoşça kalın | hoşçakal | güle güle
        kendine iyi bak
        """,
        """
        evet | hayır | hayır teşekkürler | tamam | tamamdır | peki | olur | lütfen | rica ederim
        bir şey değil | çok iyi | iyi | güzel | harika | mükemmel | süper | anladım | anlaşıldı
        tabii | tabii ki | elbette | pardon | özür dilerim | kusura bakma | hepsi bu
        """,
    ),
    "vi": (
        """
        xin chào | chào | chào bạn | chào anh | chào chị | chào em | chào mọi người | xin chào bạn
        xin chào mọi người | chào buổi sáng | chào buổi chiều | chào buổi tối | chúc ngủ ngon
        bạn khỏe không | bạn có khỏe không | rất vui được gặp bạn
        """,
        """
        cảm ơn | cám ơn | xin cảm ơn | cảm ơn bạn | cám ơn bạn | cảm ơn bạn nhiều | cảm ơn nhiều
        cám ơn nhiều | cảm ơn rất nhiều | cảm ơn bạn rất nhiều | cảm ơn anh | cảm ơn chị
        chân thành cảm ơn | cảm ơn vì đã giúp đỡ | ok cảm ơn
        """,
        "tạm biệt | hẹn gặp lại | chào tạm biệt | gặp lại sau",
        """
        vâng | dạ | dạ vâng | có | không | không cảm ơn | được | được rồi | đồng ý | xin lỗi
        làm ơn | không có gì | không có chi | tốt | rất tốt | tốt lắm | tuyệt | tuyệt vời
        hay quá | hiểu rồi | tôi hiểu rồi | tôi hiểu | dĩ nhiên | thế thôi
        """,
    ),
    "zh": (
        """
        你好 | 您好 | 你们好 | 大家好 | 哈喽 | 哈啰 | 嗨 | 喂 | 早 | 早上好 | 早安 | 上午好
        中午好 | 下午好 | 晚上好 | 晚安 | 你好吗 | 您好吗 | 最近怎么样 | 你怎么样 | 很高兴认识你
        很高兴认识您 | 幸会 | 在吗 | 你們好 | 哈囉 | 很高興認識你
        """,
        """
        谢谢 | 谢谢你 | 谢谢您 | 谢谢你们 | 谢谢大家 | 多谢 | 非常感谢 | 十分感谢 | 感谢 | 感谢你
        感谢您 | 非常谢谢 | 太谢谢了 | 太感谢了 | 谢谢你的帮助 | 谢谢您的帮助 | 感谢您的帮助
        谢了 | 辛苦了 | 謝謝 | 謝謝你 | 謝謝您 | 多謝 | 非常感謝 | 感謝 | 感謝您 | 好的谢谢
        好的谢谢你 | 好的謝謝
        """,
        "再见 | 拜拜 | 拜 | 回头见 | 明天见 | 下次见 | 一会儿见 | 保重 | 祝你愉快 | 再見 | 掰掰",
        """
        是 | 是的 | 对 | 对的 | 不 | 不是 | 不用了 | 不用谢 | 不用 | 不客气 | 没关系 | 没事 | 好
        好的 | 好吧 | 好啊 | 行 | 可以 | 嗯 | 嗯嗯 | 哦 | 哦哦 | 明白 | 明白了 | 知道了 | 了解
        了解了 | 懂了 | 我明白了 | 我知道了 | 收到 | 没问题 | 当然 | 太好了 | 很好 | 非常好 | 不错
        太棒了 | 真棒 | 棒 | 完美 | 厉害 | 对不起 | 抱歉 | 不好意思 | 请 | 就这样 | 就这些 | 哈哈
        哈哈哈 | 對 | 對的 | 沒關係 | 沒事 | 沒問題 | 當然 | 不客氣 | 對不起
        """,
    ),
}
"""Greetings, thanks, farewells, and assent and the like; by language, in its own writing."""
