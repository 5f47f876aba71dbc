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
        شكرا | ألف شكر | شكرا لمساعدتك | أشكرك | جزاك الله خيرا | جزيل الشكر | كل الشكر | أشكركم
        مشكور | مشكورة | تسلم | جزاكم الله خيرا | بارك الله فيك | بارك الله فيكم
        الله يعطيك العافية | يعطيك العافية | يعطيكم العافية | ممتن لك | شاكر لك | هذا لطف منك
        """,
        """
        مع السلامة | وداعا | وداعاً | إلى اللقاء | أراك لاحقا | أراك قريبا | طاب يومك | نهارك سعيد
        يومك سعيد | أتمنى لك يوما سعيدا | دمت بخير | في أمان الله | باي
        """,
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
        danke | danke schön | dankeschön | vielen dank | vielen lieben dank | besten dank
        herzlichen dank | tausend dank | lieben dank | danke vielmals | danke euch | danke auch
        ich danke dir | ich danke ihnen | vielen herzlichen dank | merci | sehr nett
        das ist sehr nett | sehr freundlich | sehr nett von ihnen | sehr nett von dir
        """,
        """
        tschüss | tschüß | tschau | ciao | auf wiedersehen | bis bald | bis später | bis dann
        bis morgen | mach's gut | schönen tag noch | schönen tag | schönes wochenende
        ein schönes wochenende | einen schönen tag | einen schönen tag noch | schönen abend noch
        einen schönen abend | bis zum nächsten mal | tschö | man sieht sich
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
        thanks | thank you | many thanks | thx | ty | much appreciated | cheers | thankyou | thanx
        tysm | thanks for that | thank you for that | thanks for this | a million thanks
        thanks a million | thanks a bunch | thanks a ton | i appreciate it | i really appreciate it
        appreciate it | i appreciate your help | so kind | very kind | so kind of you
        that's very kind | great help | big help | you've been a great help
        you've been very helpful | you've been helpful | you were very helpful | lifesaver
        you're a lifesaver
        """,
        """
        bye | bye bye | goodbye | good bye | good night | see you | see you later | see you soon
        see ya | take care | have a nice day | have a good day | bye now | have a nice evening
        have a great evening | have a good evening | have a nice weekend | have a good weekend
        have a great day | have a good one | and have a nice day | talk to you later | ttyl
        until next time
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
        gracias | muchas gracias | mil gracias | muchísimas gracias | te lo agradezco | muy amable
        es muy amable | es usted muy amable | eres muy amable | qué amable | gracias de nuevo
        de nuevo gracias | gracias otra vez | gracias mil | un millón de gracias | se lo agradezco
        agradecido | agradecida | muy agradecido | muy agradecida
        """,
        """
        adiós | chao | chau | hasta luego | hasta pronto | hasta mañana | hasta la vista | nos vemos
        adiós y gracias | buen fin de semana | que tengas un buen día | que tenga un buen día
        que tengas buen día | que te vaya bien | que le vaya bien | hasta la próxima | cuídate
        feliz día | bye
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
        kiitos | kiitti | kiitoksia | suuri kiitos | suuret kiitokset | tuhannet kiitokset
        kiitos vielä kerran | iso kiitos | kiitos tosi paljon | kiitos oikein paljon | kiitokset
        lämmin kiitos | kiitän | kiitos sulle | ystävällistä | tosi ystävällistä
        oikein ystävällistä
        """,
        """
        hei hei | heippa | moi moi | näkemiin | nähdään | hyvää päivänjatkoa | hyvää viikonloppua
        mukavaa päivää | mukavaa päivänjatkoa | palataan | moro
        """,
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
        merci | mille mercis | un grand merci | je vous remercie | je te remercie | merci d'avance
        grand merci | merci mille fois | mille fois merci | merci énormément | c'est gentil
        c'est très gentil | très gentil | très aimable | vous êtes très aimable
        vous êtes très gentil | tu es très gentil | c'est très aimable
        """,
        """
        au revoir | à bientôt | à plus | à plus tard | à demain | adieu | bonne nuit | bonne journée
        bonne soirée | bonne fin de journée | bonne continuation | bon week-end | à la prochaine
        à tout à l'heure | bien à vous | bye
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
        धन्यवाद | शुक्रिया | आभार | थैंक यू | थैंक्स | थैंक यू सो मच | थैंक्यू | आभारी हूँ
        दिल से धन्यवाद | तहे दिल से शुक्रिया | मेहरबानी
        """,
        """
        अलविदा | फिर मिलेंगे | फिर मिलते हैं | बाय | आपका दिन शुभ हो | चलता हूँ | चलती हूँ
        फिर बात करेंगे | टाटा
        """,
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
        grazie a te | grazie a lei | ti ringrazio | la ringrazio | grazie ancora | ancora grazie
        grazie infinite | infinite grazie | grazie di cuore | vi ringrazio | ti ringrazio molto
        la ringrazio molto | molto gentile | gentilissimo | gentilissima | sei molto gentile
        è molto gentile | è stato molto gentile
        """,
        """
        arrivederci | arrivederla | a presto | a dopo | a domani | ci vediamo | addio | buona serata
        buon fine settimana | buon weekend | buon lavoro | alla prossima | ci sentiamo | stammi bene
        ciao ciao
        """,
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
        誠にありがとうございます | どうも | 感謝します | 助かりました | 助かります | お疲れ様
        ありがたい | ありがたく思います | 感謝 | 感謝いたします | 感謝しています | サンキュー
        あざす | 助かった | 恐れ入ります | ご親切にどうも | 恩に着ます
        """,
        """
        さようなら | さよなら | じゃあね | じゃあまた | またね | また明日 | では また | バイバイ
        失礼します | ではまた | それではまた | それでは失礼します | また来ます | またお願いします
        また後で | おつかれさまです
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
        고마워 | 고마워요 | 고맙습니다 | 감사 | 감사합니다 | 감사해요 | 감사드립니다 | 감사드려요
        감사했습니다 | 고마웠어요 | 고맙네요 | 땡큐 | 친절하시네요 | 친절하네요
        """,
        """
        안녕히 계세요 | 안녕히 가세요 | 잘 가 | 잘 있어 | 또 봐요 | 또 봐 | 다음에 봐요
        나중에 봐요 | 수고하세요 | 수고하셨습니다 | 좋은 하루 보내세요 | 즐거운 하루 되세요
        좋은 주말 보내세요 | 다음에 또 올게요 | 또 올게요 | 다음에 또 봐요
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
        obrigado | obrigada | muito obrigado | muito obrigada | valeu | agradeço | brigado
        muito grato | muito grata | grato | grata | obrigadão | obrigadinho | mil obrigados
        agradeço muito | agradecido | agradecida | muito agradecido | fico grato | fico grata
        muito gentil | muito amável | é muito gentil | gentileza sua
        """,
        """
        tchau | adeus | até logo | até mais | até breve | até amanhã | tenha um bom dia
        tenha uma boa noite | bom fim de semana | até a próxima | até à próxima | um abraço | xau
        fui
        """,
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
        спасибо | благодарю | спс | большущее спасибо | спасибочки | сердечное спасибо | от души
        благодарен | благодарна | признателен | признательна | вы очень добры | очень любезно
        вы очень любезны | пасиб
        """,
        """
        пока | пока пока | до свидания | до встречи | до завтра | увидимся | всего доброго
        всего хорошего | прощай | прощайте | удачи | хорошего дня | хорошего вечера
        хороших выходных | до скорого | до новых встреч | бывай | счастливо
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
        ขอบคุณ | ขอบใจ | ขอบพระคุณ | ขอบคุณที่ช่วยเหลือ | ขอบคุณหลาย | ขอบคุณอย่างยิ่ง | ขอบคุณจากใจ
        ขอบพระคุณอย่างสูง | ซาบซึ้ง | ใจดีมาก | ใจดีจัง
        """,
        """
        ลาก่อน | บาย | บ๊ายบาย | แล้วเจอกัน | แล้วพบกันใหม่ | เจอกันใหม่ | ขอให้เป็นวันที่ดี | โชคดี | ไปก่อน
        ไว้เจอกันใหม่ | ไว้คุยกันใหม่
        """,
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
        teşekkürler | teşekkür ederim | çok teşekkürler | çok teşekkür ederim | çok sağ ol | sağ ol
        sağol | sağ olun | eyvallah | teşekkür | teşekkür ederiz | çok teşekkür ederiz
        çok sağ olun | sağolun | minnettarım | çok naziksin | çok naziksiniz | çok kibarsınız
        allah razı olsun | var ol | tşk
        """,
        """
        görüşürüz | görüşmek üzere | hoşça kal | hoşça kalın | hoşçakal | güle güle
        kendine iyi bak | iyi çalışmalar | kolay gelsin | iyi hafta sonları | hayırlı günler
        bay bay | allaha ısmarladık
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
        cảm ơn | cám ơn | chân thành cảm ơn | cảm ơn nhá | cảm ơn lần nữa | một lần nữa cảm ơn
        vô cùng cảm ơn | biết ơn bạn | rất biết ơn | cam on | cam on ban | cam on nhieu
        bạn tốt bụng quá | bạn tử tế quá | cảm ơn trước
        """,
        """
        tạm biệt | hẹn gặp lại | chào tạm biệt | gặp lại sau | chúc bạn một ngày tốt lành
        chúc một ngày tốt lành | chúc bạn ngày mới vui vẻ | bye | hẹn gặp lại bạn | bai bai
        """,
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
        感谢您 | 非常谢谢 | 太谢谢了 | 太感谢了 | 谢了 | 辛苦了 | 謝謝 | 謝謝你 | 謝謝您 | 多謝
        非常感謝 | 感謝 | 感謝您 | 谢啦 | 谢过 | 多谢你 | 多谢您 | 太谢谢你了 | 太谢谢您了
        太感谢你了 | 太感谢您了 | 真是太感谢了 | 真是谢谢 | 非常感谢你 | 非常感谢您 | 非常谢谢你
        非常谢谢您 | 衷心感谢 | 万分感谢 | 感激不尽 | 麻烦你了 | 麻烦您了 | 让您费心了 | 您真好
        您人真好 | 謝啦 | 謝了 | 多謝你 | 多謝您 | 太謝謝你了 | 太感謝了 | 非常感謝您 | 感謝你
        """,
        """
        再见 | 拜拜 | 拜 | 回头见 | 明天见 | 下次见 | 一会儿见 | 保重 | 祝你愉快 | 再見 | 掰掰
        祝您愉快 | 祝您生活愉快 | 祝好 | 下次再聊 | 回聊 | 先这样 | 再会 | 后会有期 | 下次見
        明天見
        """,
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
