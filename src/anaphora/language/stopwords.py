"""Closed-class words: what a language says everywhere and a search should not look for.

For writing without spaces the entries are the pieces that `tokenize` cuts.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

_WORDS: Final = {
    "ar": """
        في من إلى على عن مع هذا هذه ذلك تلك هؤلاء أولئك الذي التي الذين اللذان اللتان اللاتي هو هي
        هم هن هما أنا أنت أنتم نحن كان كانت كانوا يكون تكون ليس ليست لم لن لا ما ماذا متى أين كيف
        كم لماذا هل أي أية أو أم ثم بل لكن إن أن أنه أنها إنه إنها قد لقد كما كل بعض غير بين حتى
        إذا لو عند عندما منذ خلال حول ضد دون بعد قبل فوق تحت به بها له لها لهم فيه فيها منه منها
        عليه عليها إليه إليها وهو وهي وقد وكان وكانت ومن وفي وعلى والتي والذي ولا ولم وما فقد كذلك
        أيضا و
    """,
    "de": """
        der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner
        keines und oder aber denn sondern doch als wie wenn weil dass daß ob obwohl während bis
        damit sowie ich du er sie es wir ihr mich mir dich dir sich ihn ihm uns euch ihnen mein
        meine meinen meinem meiner dein deine sein seine seinen seinem seiner seines ihre ihren
        ihrem ihrer ihres unser unsere euer eure man dieser diese dieses diesen diesem jener jene
        jenes welcher welche welches welchen welchem jeder jede jedes jeden jedem alle allen aller
        alles in im an am auf aus bei beim mit nach von vom vor zu zum zur über unter um für durch
        gegen ohne seit zwischen neben hinter ab ist sind war waren wird werden wurde wurden worden
        bin bist seid sei gewesen hat haben habe hast hatte hatten kann können konnte konnten muss
        müssen soll sollen sollte will wollen darf dürfen wer wen wem wessen was wann wo woher
        wohin warum wieso weshalb wieviel wozu womit wodurch nicht auch nur noch schon sehr so da
        dort hier dann nun also etwa etwas nichts mehr viel viele
    """,
    "en": """
        a an the this that these those i me my mine myself you your yours yourself he him his
        himself she her hers herself it its itself we us our ours ourselves they them their theirs
        themselves one who whom whose which what when where why how and or but nor so yet if then
        than as because while although though unless until whether since of in on at by for from to
        into onto with within without about against between among through during before after above
        below over under up down out off again further upon per via be is am are was were been
        being have has had having do does did doing done can could will would shall should may
        might must not no only just also too very there here both each any all some such other own
        same more most many much few i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd
        she'll we're we've we'd we'll they're they've they'd they'll isn't aren't wasn't weren't
        hasn't haven't hadn't doesn't don't didn't won't wouldn't can't cannot couldn't shouldn't
        mustn't
    """,
    "es": """
        el la los las lo un una unos unas al del de a en con por para sin sobre entre hasta desde
        hacia según contra durante ante bajo tras y e o u ni pero sino aunque porque pues si como
        cuando donde mientras que quien quienes cual cuales cuyo cuya cuyos cuyas qué quién quiénes
        cuál cuáles cómo cuándo dónde cuánto cuánta cuántos cuántas adónde yo tú él ella ello
        nosotros nosotras vosotros ellos ellas usted ustedes me te se nos os le les mi mis tu tus
        su sus nuestro nuestra nuestros nuestras este esta esto estos estas ese esa eso esos esas
        aquel aquella aquello aquellos aquellas es son era eran fue fueron ser sido siendo soy eres
        somos sea sean será serán sería está están estaba estaban estar estado ha han había habían
        haber hay hubo he hemos tiene tienen tenía tener no sí ya más muy también tan tanto todo
        toda todos todas otro otra otros otras mismo misma luego algún alguno alguna algunos
        algunas cada
    """,
    "fi": """
        ja tai sekä eli mutta vaan vaikka koska kun jos että kuin niin sillä joten jotta myös vain
        jo vielä ei en et emme ette eivät älä on ovat oli olivat ollut olleet olla olen olet olemme
        olette olisi olisivat ole lienee minä sinä hän me te he se ne minun sinun hänen meidän
        teidän heidän sen niiden minut sinut hänet sitä niitä siitä siihen siinä sille niissä
        niistä tämä tuo nämä nuo tämän tätä tässä tästä tähän näiden näitä joka jotka jonka jota
        joita joiden jossa josta johon jolla jolle joissa joista mikä mitä mitkä minkä missä mistä
        mihin milloin miksi miten kuinka kuka ketkä kenen ketä kenelle kumpi monta montako paljonko
        millainen millä mille mukaan entä sitten kanssa ilman ennen jälkeen aikana välillä kautta
        yli alle noin itse oma
    """,
    "fr": """
        le la les un une des du de d au aux à en dans sur sous avec sans par pour vers chez entre
        contre depuis pendant avant après selon et ou où mais donc or ni car que qui quoi dont
        quand comme si lorsque puisque quel quelle quels quelles lequel laquelle lesquels
        lesquelles auquel duquel combien comment pourquoi je tu il elle on nous vous ils elles me
        te se moi toi soi lui leur leurs y mon ma mes ton ta tes son sa ses notre nos votre vos ce
        cet cette ces ceci cela ça celui celle ceux celles est sont était étaient être étant suis
        es sommes êtes fut furent sera seront serait soit soient a ont avait avaient avoir eu ayant
        ai as avons avez aura auront fait faire peut peuvent ne pas plus non aussi très tout toute
        tous toutes même mêmes autre autres quelque quelques chaque ainsi alors est-ce c j l m n s
        t qu
    """,
    "hi": """
        का के की को से में पर ने है हैं था थी थे हो होता होती होते हुआ हुई हुए होने होना कर करना
        करने करता करती करते किया किए गया गई गए जाता जाती जाते रहा रही रहे वाला वाली वाले और या एवं
        तथा लेकिन परन्तु किन्तु मगर कि क्योंकि जो जब जहाँ जहां जिस जिसे जिसका जिसकी जिसके जिसमें
        जिन यदि अगर तो तब तक भी ही न नहीं मत यह ये वह वे वो इस इसे इसका इसकी इसके इसमें इन इनका
        इनके उस उसे उसका उसकी उसके उसमें उन उनका उनकी उनके उन्हें उन्होंने इन्हें मैं मुझे मेरा
        मेरी मेरे हम हमें हमारा हमारी हमारे तू तुम तुम्हें तुम्हारा आप आपका आपकी आपके अपना अपनी
        अपने क्या कौन कौनसा कब कहाँ कहां क्यों कैसे कैसा कैसी कितना कितनी कितने किस किसे किसका
        किसकी किसके किसने किन कोई कुछ सब सभी बहुत द्वारा साथ लिए बाद पहले बीच सकता सकती सकते
    """,
    "it": """
        il lo la i gli le l un uno una di a da in con su per tra fra del dello della dei degli
        delle al allo alla ai agli alle dal dallo dalla dai dagli dalle nel nello nella nei negli
        nelle sul sullo sulla sui sugli sulle col coi e ed o od ma né se che chi cui perché poiché
        come quando dove mentre quale quali quanto quanta quanti quante cosa io tu lui lei noi voi
        loro mi ti si ci vi ne me te sé mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro
        nostra nostri nostre vostro vostra questo questa questi queste quello quella quelli quelle
        quel quei è sono era erano essere stato stata stati state sia siano fu furono sarà saranno
        sarebbe sei siamo siete ha hanno aveva avevano avere avuto ho hai abbiamo avete non più
        anche molto così già solo ogni tutto tutta tutti tutte altro altra altri altre stesso
        stessa alcuni alcune dopo prima dov com c d
    """,
    "ja": """
        して した いる ある する され れる られ こと もの ため など から まで より よう ので のに
        ます です でし った ない なか なく なっ なる てい でい てき たい であ では には とは とし
        いう とい うに うな によ よっ って いて いた いま ませ せん まし しま であり おり この その
        あの どの これ それ あれ どれ ここ そこ どこ いつ だれ なに なぜ どう どん どち ちら らの
        何で は何 何が 何と 何を 何の 何年 誰が 誰か は誰 のは のが のを にお おい おけ ける にも
        でも とも との への かつ また およ よび のか るか たか すか いく くら つか なん んで でき
        きる 何 誰 の ん
    """,
    "ko": """
        은 는 이 가 을 를 의 에 와 과 도 로 만 께 및 등 들 그 저 다 고 며 나 에서 으로 까지 부터
        에게 한테 하고 그리 리고 또는 무엇 누구 언제 어디 어떤 얼마 어느 왜 입니 니까 습니 니다
        합니 있는 있다 하는 하다 했다 되는 된다 이다 인가 는가 나요 까요 이며 이고 것은 것이 것을
        은가 는지
    """,
    "pt": """
        o a os as um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos
        pelas para com sem sobre entre até desde contra durante ante sob após segundo ao aos à às e
        ou nem mas porém porque pois se como quando onde enquanto que quem qual quais cujo cuja
        cujos cujas quê porquê quanto quanta quantos quantas eu tu ele ela nós vós eles elas você
        vocês me te lhe lhes vos meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos
        nossas este esta isto estes estas esse essa isso esses essas aquele aquela aquilo aqueles
        aquelas neste nesta nesse nessa deste desta desse dessa disso é são era eram foi foram ser
        sido sendo sou somos seja sejam será serão seria está estão estava estavam estar estado há
        tem têm tinha tinham ter tido havia não sim já mais muito também só todo toda todos todas
        outro outra outros outras mesmo mesma depois algum alguma alguns algumas cada
    """,
    "ru": """
        и в во не что он на я с со как а то все она так его но да ты к ко у же вы за бы по только
        ее её мне было вот от меня еще ещё нет о об обо из изо ему когда даже ну ли если или ни
        быть был была были него до вас нибудь уж вам ведь там потом себя ей они тут где есть надо
        ней для мы тебя их чем сам сама само сами чтоб чтобы без будто чего раз тоже себе под будет
        ж кто кого кому кем этот эта это эти этого этой этом этих этому этим тот та те того той том
        тех тому тем какой какая какое какие какого каком каких каким который которая которое
        которые которого которой котором которых которому которым почему зачем куда откуда сколько
        чей чья чье чьи наш наша наше наши ваш мой моя мое мои твой свой своя свое свои своего
        своей своих при над про через между перед после также является являются может могут весь
        вся всего всех всем
    """,
    "th": """
        ที่ และ หรือ แต่ ของ ใน จาก โดย กับ ให้ ได้ เป็น อยู่ คือ มี ไม่ จะ ก็ ว่า นี้ นั้น ซึ่ง
        อัน ถ้า เมื่อ เพราะ ไป มา แล้ว ยัง ต้อง อะไร ใคร ไหน เท่าไร เท่าไหร่ อย่างไร ทำไม กี่ ไหม
        ครับ ค่ะ คะ ผม ฉัน เขา เธอ มัน เรา คุณ พวก ทั้ง ทุก บาง ด้วย ต่อ แก่ แห่ง การ ความ นะ
    """,
    "tr": """
        ve veya ya yahut ile ama fakat ancak lakin çünkü ki de da mi mı mu mü için gibi kadar göre
        sonra önce beri doğru karşı rağmen bir bu şu o bunlar şunlar onlar bunu şunu onu bunun onun
        bunların onların buna ona bunda onda bundan ondan ben sen biz siz beni seni bizi sizi bana
        sana bize size benim senin bizim sizin kendi kendisi ne neden niçin niye nasıl nerede
        nereye nereden neresi hangi hangisi kim kime kimi kimin kimler kaç kaçıncı zaman değil var
        yok idi ise iken olan olarak oldu olur olduğu olup olmak olmuştur edilen eden her hem hep
        hiç bazı tüm bütün çok daha en az diğer aynı şey peki dır dir tir tır mıdır midir mudur
        müdür
    """,
    "vi": """
        và hoặc hay nhưng mà thì là của cho với về từ đến tới tại trong ngoài trên dưới giữa bởi do
        vì nên nếu khi để theo qua bằng như cùng cũng đã đang sẽ được bị có không chưa chẳng phải
        rất này kia ấy đó đây nào gì ai đâu sao mấy bao nhiêu thế các những một mọi mỗi cái con
        chiếc việc sự ở ra vào lên xuống lại rồi còn chỉ tôi bạn anh chị em ông bà nó chúng ta họ
        mình hơn
    """,
    "zh": """
        的 了 吗 呢 吧 么 什 哪 谁 们 們 嗎 麼 誰 这 這 那 是 在 和 与 與 也 之 其 而 及 于 於 为
        為 被 把 将 將 从 從 由 以 并 並 或 个 個 有 就 都 很 到 对 對 它 他 她 我 你 您 此 该 該
        等 中 上 不 什么 甚麼 什麼 哪个 哪些 哪個 哪里 哪裡 哪裏 多少 如何 怎么 怎麼 怎样 怎樣 为什
        為什 何时 何時 为何 為何 是什 是谁 是誰 是哪 些什 了什 有什 在哪 几个 幾個 哪一 哪年 是多
        有多 有哪 我们 我們 你们 你們 他们 他們 它们 這個 这个 那个 那個 这些 這些 那些 以及 或者
        而且 但是 因为 因為 所以 如果 就是 也是 不是
    """,
}

_ELISIONS: Final = {
    "ca": "l d m n s t",
    "fr": "c d j l m n s t qu jusqu lorsqu puisqu quoiqu quelqu",
    "it": "l d c s m t v n un all dall dell nell sull coll quest quell bell sant mezz cos dov com "
    "anch tutt",
}


@lru_cache(maxsize=64)
def elisions(lang: str) -> frozenset[str]:
    """What stands before an apostrophe in a language and is no part of the word after it.

    >>> "qu" in elisions("fr")
    True
    """
    return frozenset(_ELISIONS.get(lang, "").split())


def listed_languages() -> frozenset[str]:
    """The languages that have a stop list: the sixteen target languages."""
    return frozenset(_WORDS)


@lru_cache(maxsize=64)
def stop_words(lang: str) -> frozenset[str]:
    """The stop words of a language, in lower case; none for a language without a list.

    >>> "pourquoi" in stop_words("fr"), stop_words("xx")
    (True, frozenset())
    """
    words = unicodedata.normalize("NFKC", _WORDS.get(lang, "")).split()
    if lang == "ja":
        words += map(chr, [*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), 0x30FC])
    return frozenset(words)
