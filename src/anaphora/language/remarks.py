"""What people say on hearing an answer: that it helps, is clear or good, that they will try it.

Short pieces that may follow one another. None of them could also ask about the documents: such as
could ("works", which may ask whether it works) is listed with what is said beside courtesies.
"""

from __future__ import annotations

from typing import Final

REMARKS: Final = {
    "ar": """
        هذا كل ما أردته | لا شيء آخر | يبدو جيدا | هذا رائع | هذا ممتاز | هذا جيد
        سأقرأ المزيد لاحقا | سأتذكر ذلك | خبر جميل | فهمت الآن | الآن فهمت | واضح | واضح جدا
        كل شيء واضح | الأمر واضح | اتضحت الصورة | وضحت الفكرة | هذا مفيد | هذا مفيد جدا | مفيد جدا
        معلومة مفيدة | معلومات مفيدة | معلومات قيمة | معلومة جميلة | هذا يساعدني | هذا يساعد كثيرا
        ساعدتني كثيرا | أفدتني | أفدتني كثيرا | لم أكن أعرف ذلك | هذا ما كنت أبحث عنه | هذا ما أردته
        هذا ما أحتاجه | هذا يكفي | سأجرب | سأجرب ذلك | سأجرب هذا | سأجربه | سأجربها | سأحاول
        سأحاول ذلك | سأفكر | سأفكر في الأمر | سأفعل ذلك | بفكر | نجح الأمر | تم الأمر
        تم حل المشكلة | أحسنت | إجابة ممتازة | إجابة رائعة | شرح واضح | شرح ممتاز | شرح رائع | طيب
        ماشي | لا بأس | لا مشكلة | لا تقلق | معذرة | المعذرة | أعتذر | أنا آسف | أنا آسفة
        مثير للاهتمام | سبحان الله | ما شاء الله | الحمد لله | إن شاء الله | يا للأسف | للأسف
        مع الأسف | رائع جدا | ممتاز جدا | جميل جدا
    """,
    "de": """
        das wäre alles | das wär's | das war alles | sonst nichts | nichts weiter | klingt gut
        das klingt gut | das ist super | das ist toll | das ist gut | das ist perfekt | glück gehabt
        gut dass ich gefragt habe | das beruhigt mich | das merke ich mir | ich lese später mehr
        klar | na klar | alles verstanden | jetzt verstehe ich | jetzt verstehe ich es
        verstehe ich | jetzt ist es klar | jetzt ist alles klar | das ist klar | soweit klar | ach
        ah | ach ja | aha | oh | puh | hm | das hilft | das hilft mir | das hilft mir sehr
        das hilft mir weiter | das hilft sehr | hat geholfen | das hat geholfen
        das hat mir geholfen | das hat mir sehr geholfen | sehr hilfreich | hilfreich
        das ist hilfreich | das war hilfreich | das war sehr hilfreich | gute antwort
        gute erklärung | gut erklärt | gut gemacht | gute arbeit | gut zu wissen
        das wusste ich nicht | wieder was gelernt | interessant | sehr interessant | spannend
        faszinierend | großartig | wunderbar | perfekt | ausgezeichnet | hervorragend | wunderschön
        klasse gemacht | jetzt klappt es | jetzt klappt's | klappt jetzt | es klappt | hat geklappt
        es hat geklappt | funktioniert jetzt | jetzt funktioniert es | es funktioniert
        das probiere ich | das probiere ich aus | das probiere ich mal | das probiere ich mal aus
        ich probiere es | ich probiere es aus | ich probiere es mal | ich probiere das aus
        dann probiere ich das | dann probier ich das mal | ich versuche es | ich versuche es mal
        das versuche ich | das werde ich versuchen | das werde ich ausprobieren | das mache ich
        das mache ich so | mach ich | so mache ich das | ich schaue es mir an
        das schaue ich mir an | ich schaue mal | ich überlege es mir | das überlege ich mir
        ich denke darüber nach | das reicht | das reicht mir | das genügt | mehr brauche ich nicht
        genau das habe ich gesucht | das habe ich gesucht | genau das brauchte ich | passt
        passt so | einverstanden | sorry | tut mir leid | es tut mir leid | verzeihung | mein fehler
        kein problem | macht nichts | egal | schon gut | keine ursache | wie schade | wie traurig
        wie schön | schrecklich
    """,
    "en": """
        that's everything | that is everything | that will be all | that'll be all | that will do
        that'll do | that does it | that was it | that is it | this is it
        that's all i wanted to know | nothing else | no that is all | no that is it
        no that will be all | no that'll be all | no that's fine | no that was it | no nothing else
        that sounds good | that sounds great | sounds great | that's great | that's good
        that's fine | that's perfect | that is great | that is perfect | this is great
        this is perfect | that would be great | that's amazing | lesson learned | that was easy
        shocking | i'll read more later | well well | well done | i'll remember that | ah | oh
        ah ok | aha | ooh | whoa | phew | ouch | oops | ugh | right | exactly | indeed | agreed
        noted | okey dokey | i see now | oh i see | ah i see | i understand | i understand now
        now i understand | i get it | i get it now | now i get it | got it now | makes sense
        that makes sense | makes sense now | that makes sense now | clear now | all clear
        very clear | it's clear | it's clear now | it's very clear | that's clear
        that's very clear | that explains it | that helps | that helps a lot | this helps | it helps
        that helped | that helped a lot | that's helpful | that is helpful | this is helpful
        that was helpful | that's very helpful | that's really helpful | that's useful | helpful
        very helpful | really helpful | so helpful | super helpful | useful | very useful
        really useful | super useful | good to know | that's good to know | great info | good info
        good catch | good point | fair enough | good answer | great answer | nice answer
        good explanation | great explanation | well explained | good stuff | nice one | good one
        great job | nice work | good work | great work | lovely | brilliant | fantastic | amazing
        impressive | incredible | interesting | very interesting | how interesting
        that's interesting | fascinating | very nice | very good | pretty cool | so cool | how cool
        today i learned | learned something new | i didn't know that | will do | will try | i'll try
        i'll try that | i'll try it | i will try | i will try that | will try that
        i'll give it a try | i'll give that a try | i'll give it a go | let me try | let me try that
        i'll do that | i'll check it out | i'll have a look | i'll take a look | i'll look into it
        i'll think about it | let me think | let me think about it | it works | it works now
        works now | now it works | it worked | that worked | works great | works perfectly
        problem solved | all good | all set | i'm all set | i'm good | that's it | no that's all
        no that's it | that's all i needed | that's all for now | that's what i needed
        exactly what i needed | that's exactly what i needed | just what i needed
        what i was looking for | that's what i was looking for | that answers my question
        that's enough | no problem | no worries | never mind | nevermind | my bad | my mistake
        my apologies | apologies | i'm sorry | i'm so sorry | so sorry | pardon | pardon me
        excuse me | what a pity | what a shame | too bad | how sad | what a relief | that's a relief
        talk to you later | ttyl | have a good one | have a great day | have a nice evening
        have a good weekend
    """,
    "es": """
        es todo | sería todo | eso sería todo | eso es todo por ahora | suena bien | me parece bien
        está bien | eso es genial | es perfecto | pobrecito | qué buena noticia
        lo tendré en cuenta | está claro | todo claro | muy claro | clarísimo | queda claro
        me queda claro | ahora está claro | ya entiendo | ya lo entiendo | ya entendí
        ya lo entendí | ahora entiendo | ahora lo entiendo | lo entiendo | comprendo | comprendido
        ya veo | ya está | listo | anotado | apuntado | tomo nota | lo tengo | ajá | ah | oh | uy
        uf | vaya | ok | jaja | jeje | me ayuda | me ayuda mucho | eso ayuda | eso me ayuda
        eso me ayuda mucho | me sirve | me sirve mucho | eso me sirve | me ha ayudado mucho
        me ayudó mucho | me has ayudado mucho | muy útil | útil | qué útil | es muy útil
        de gran ayuda | me ha sido muy útil | interesante | muy interesante | qué interesante
        buenísimo | qué bueno | qué bien | bueno | muy bueno | buen dato | buena respuesta
        buena explicación | bien explicado | muy bien explicado | bien hecho | bravo | bárbaro
        fantástico | maravilloso | increíble | fenomenal | chévere | bueno saberlo
        es bueno saberlo | no lo sabía | lo probaré | voy a probar | voy a probarlo
        lo voy a probar | probaré eso | lo intentaré | voy a intentarlo | lo haré | así lo haré
        eso haré | lo miraré | le echaré un vistazo | lo pensaré | voy a pensarlo | ya funciona
        ahora funciona | ya me funciona | funcionó | me funcionó | es lo que buscaba
        era lo que buscaba | justo lo que buscaba | es lo que necesitaba | justo lo que necesitaba
        no necesito más | nada más | eso es | exacto | exactamente | así es | correcto
        no pasa nada | no hay problema | sin problema | no te preocupes | no se preocupe
        mis disculpas | mil disculpas | perdona | perdone | perdón por la molestia
        siento la molestia | lo siento mucho | qué pena | qué lástima | qué alivio | qué triste
    """,
    "fi": """
        siinä kaikki tältä erää | en tarvitse muuta | kuulostaa hyvältä | se on hyvä | muistan sen
        hyviä uutisia | pidän mielessä | selvä homma | selväksi tuli | nyt selvisi | nyt ymmärrän
        ymmärsin | ymmärsin nyt | nyt ymmärsin | asia selvä | kaikki selvää | kaikki selvä
        tämä auttoi | tämä auttoi paljon | se auttoi | auttoi paljon | tästä oli apua
        siitä oli apua | oli paljon apua | hyödyllistä | hyödyllistä tietoa | tosi hyödyllistä
        hyvä tietää | enpä tiennyt | en tiennytkään | mielenkiintoista | tosi mielenkiintoista
        kiinnostavaa | kiintoisaa | hyvä vastaus | hyvä selitys | hyvin selitetty | hyvin tehty
        hyvää työtä | upeaa | upea | mainiota | mainio | erinomaista | erinomainen | täydellistä
        täydellinen | mahtava | siistiä | hyvä juttu | kiva juttu | kokeilen | kokeilen sitä
        kokeilen tuota | täytyy kokeilla | pitää kokeilla | yritän | yritän sitä | teen niin
        teen sen | katson sitä | mietin asiaa | mietin sitä | harkitsen asiaa | nyt toimii
        nyt se toimii | se toimii | onnistui | juuri tätä etsin | tätä etsin | tätä juuri hain
        ei muuta | se riittää | tämä riittää | juuri niin | aivan | hyvä on | sopii | selvisi | ahaa
        aha | ai niin | no niin | oho | vau | huh | huhhuh | hups | pahoittelut | pahoittelen
        olen pahoillani | sori | ei haittaa | ei se mitään | ei hätää | ei kestä | harmi | voi harmi
        sääli | surullista
    """,
    "fr": """
        ce sera tout | c'est tout pour aujourd'hui | c'est tout pour moi | rien d'autre
        ça me convient | c'est parfait | c'est super | c'est génial | c'est très bien
        c'est entendu | heureusement que j'ai demandé | je m'en souviendrai | j'en prends note
        quelle bonne nouvelle | c'est clair | c'est très clair | très clair | tout est clair
        c'est plus clair | c'est limpide | c'est bon | c'est noté | noté | bien noté | bien compris
        j'ai compris | j'ai bien compris | je comprends mieux | je comprends maintenant
        maintenant je comprends | ça marche | ça me va | ça aide | ça m'aide | ça m'aide beaucoup
        cela m'aide | cela m'aide beaucoup | ça m'a aidé | ça m'a beaucoup aidé | utile | très utile
        c'est utile | c'est très utile | très instructif | c'est instructif | bon à savoir
        c'est bon à savoir | je ne savais pas | je ne le savais pas | intéressant | très intéressant
        c'est intéressant | fascinant | magnifique | formidable | impeccable | incroyable
        bonne réponse | bonne explication | bien expliqué | très bien expliqué | bravo | bien joué
        bien vu | bon travail | beau travail | vous êtes très efficace | je vais essayer
        je vais essayer ça | je vais tester | j'essaie | j'essaierai | je vais regarder
        je vais regarder ça | je vais voir | je vais y réfléchir | je vais réfléchir
        j'y réfléchirai | je le ferai | je vais faire ça | c'est fait | ça a marché
        ça marche maintenant | ça fonctionne maintenant | c'est ce que je cherchais
        c'est exactement ce que je cherchais | c'est ce qu'il me fallait | ça me suffit | ça suffit
        exactement | tout à fait | ah | oh | ah oui | ah d'accord | bon | oups | ouf | aïe
        pas de problème | pas de souci | tant pis | ce n'est pas grave | c'est pas grave
        je suis désolé | je suis désolée | mes excuses | toutes mes excuses | excusez-moi
        excuse-moi | au temps pour moi | dommage | quel dommage | quel soulagement | c'est triste
    """,
    "hi": """
        बस इतना ही था | और कुछ नहीं चाहिए | यह बढ़िया है | यह अच्छा है | सुनकर अच्छा लगा | याद रखूँगा
        याद रखूँगी | नोट कर लिया | समझ में आ गया | समझ में आया | समझ आ गया | समझ आया | समझ गए
        सब समझ गया | सब समझ गई | सब समझ में आ गया | अब समझ गया | अब समझ गई | अब समझ में आया
        अब समझ में आ गया | सब स्पष्ट है | स्पष्ट है | बात साफ हो गई | मदद मिली | बहुत मदद मिली
        इससे मदद मिली | इससे बहुत मदद मिली | काम आएगा | यह काम आएगा | काम की जानकारी
        बहुत काम की जानकारी | अच्छी जानकारी | बहुत अच्छी जानकारी | बढ़िया जानकारी | उपयोगी जानकारी
        बहुत उपयोगी | बहुत उपयोगी है | मुझे नहीं पता था | पता नहीं था | दिलचस्प | बहुत दिलचस्प | रोचक
        बहुत रोचक | वाह | अरे वाह | कमाल है | लाजवाब | अद्भुत | उत्तम | सही | सही है | सही बात है
        बिल्कुल सही | अच्छा जवाब | बढ़िया जवाब | अच्छे से समझाया | बहुत अच्छे से समझाया | शाबाश
        कोशिश करूँगा | कोशिश करूँगी | मैं कोशिश करूँगा | मैं कोशिश करूँगी | कोशिश करता हूँ
        कोशिश करती हूँ | करके देखता हूँ | करके देखती हूँ | यह करके देखता हूँ | यह करके देखती हूँ
        आज़माता हूँ | आज़माकर देखता हूँ | देखता हूँ | देखती हूँ | मैं देखता हूँ | सोचता हूँ
        सोचकर बताता हूँ | ऐसा ही करूँगा | ऐसा ही करता हूँ | ऐसा ही करूँगी | अब काम कर रहा है
        काम हो गया | हो गया | ठीक हो गया | यही चाहिए था | मुझे यही चाहिए था | इतना काफ़ी है | बस
        और कुछ नहीं | चलो ठीक है | चलिए ठीक है | ठीक है फिर | ओह | हम्म | हाहा | कोई दिक्कत नहीं
        कोई समस्या नहीं | माफ़ी चाहता हूँ | माफ़ी चाहती हूँ | माफ़ करना | माफ़ कीजिएगा | सॉरी | अफ़सोस
        राहत मिली
    """,
    "it": """
        tutto qui | nient'altro | è tutto per ora | va bene così | è perfetto | mi sembra ottimo
        mi va bene | me lo ricorderò | ne terrò conto | che bella notizia | chiaro | è chiaro
        tutto chiaro | molto chiaro | chiarissimo | ora è chiaro | adesso è chiaro | capisco
        ora capisco | adesso capisco | ora ho capito | adesso ho capito | ho capito tutto | ricevuto
        va benissimo | benissimo | bene così | mi aiuta | mi aiuta molto | questo mi aiuta
        mi è utile | mi è stato utile | mi è stato molto utile | mi è stato di grande aiuto
        molto utile | utilissimo | sei stato utile | sei stato di grande aiuto | di grande aiuto
        buono a sapersi | non lo sapevo | interessante | molto interessante | che interessante
        bella risposta | ottima risposta | ottima spiegazione | spiegato bene | ben spiegato
        ben fatto | bravo | brava | bravissimo | ottimo lavoro | bel lavoro | meraviglioso
        magnifico | eccezionale | stupendo | incredibile | lo proverò | ci provo | ci proverò
        provo subito | lo provo | proverò | lo farò | farò così | ci penso | ci penserò
        darò un'occhiata | ci do un'occhiata | vedrò | ora funziona | adesso funziona
        ha funzionato | è quello che cercavo | proprio quello che cercavo | è quello che mi serviva
        proprio quello che mi serviva | basta così | a posto | tutto a posto | sono a posto | esatto
        esattamente | giusto | appunto | ah | oh | ecco | ah ecco | non importa | nessun problema
        non c'è problema | figurati | si figuri | mi scuso | le mie scuse | scusami | chiedo scusa
        colpa mia | peccato | che peccato | che sollievo | che tristezza
    """,
    "ja": """
        それだけです | 他にはありません | ほかにはありません | 特にありません | いい感じです
        覚えておきます | 助言に従います | よくわかりました | よく分かりました | よくわかった
        よく分かった | わかりやすいです | わかりやすい | わかりやすかったです | 分かりやすいです
        分かりやすい | 分かりやすかったです | 理解しました | 理解できました | 納得 | 納得です
        納得しました | 承知しました | 承知いたしました | かしこまりました | そうなんだ
        そうなんですか | そうだったんですね | そうだったのか | そういうことですね | そういうことか
        なるほどね | へえ | へー | ふむふむ | ほう | おお | わあ | ああ | 勉強になりました
        勉強になります | 参考になりました | 参考になります | 参考にします | 参考にさせていただきます
        役に立ちました | 役立ちました | 知りませんでした | 知らなかった | 知らなかったです
        初めて知りました | 面白い | 面白いです | 興味深い | 興味深いです | すごいです | さすが
        さすがです | 素敵 | 素敵です | 素晴らしいです | お見事 | お見事です | 良いですね | よかった
        良かった | よかったです | 良かったです | それはよかった | それは良かったです | 安心しました
        ほっとしました | やってみます | やってみる | 試してみます | 試してみる | 試します
        行ってみます | 検討します | 検討してみます | 考えてみます | 調べてみます | 見てみます
        確認します | 確認してみます | 聞いてみます | そうします | そうしてみます | できました
        うまくいきました | うまくいった | 動きました | 解決しました | 解決した | 直りました
        大丈夫です | もう大丈夫です | 問題ありません | 十分です | これで十分です
        それが知りたかったです | まさにそれです | その通り | その通りです | 確かに | たしかに
        オッケー | 承知 | いえいえ | 気にしないでください | 失礼しました | すみませんでした
        申し訳ございません | お手数をおかけしました | お騒がせしました | 残念 | 残念です
        悲しいですね
    """,
    "ko": """
        그게 다예요 | 더 없어요 | 다른 질문은 없어요 | 더 궁금한 건 없어요 | 좋은 생각이네요
        기억해 둘게요 | 명심할게요 | 알아볼게요 | 이해했어요 | 이해했어 | 이해됐어요 | 이해됐습니다
        이해돼요 | 이해가 돼요 | 이해가 됐어요 | 이해가 되네요 | 이해가 됩니다 | 알겠어 | 알겠네요
        그렇군요 | 그렇구나 | 그렇네요 | 그랬군요 | 아하 | 아 | 오 | 와 | 우와 | 도움이 됐어요
        도움이 되었어요 | 도움이 됐습니다 | 도움이 되었습니다 | 도움이 되네요 | 도움 됐어요
        도움됐어요 | 큰 도움이 됐어요 | 큰 도움이 되었습니다 | 유용하네요 | 유용해요 | 유익하네요
        유익했어요 | 좋은 정보네요 | 몰랐어요 | 몰랐네요 | 처음 알았어요 | 명확하네요 | 명확해졌어요
        흥미롭네요 | 재미있네요 | 재밌네요 | 신기하네요 | 대단하네요 | 대단해요 | 멋지네요 | 멋져요
        훌륭합니다 | 훌륭하네요 | 완벽합니다 | 완벽하네요 | 최고 | 최고네요 | 최고입니다 | 좋네요
        잘했어요 | 편하네요 | 해볼게요 | 해 볼게요 | 한번 해볼게요 | 시도해 볼게요 | 시도해볼게요
        그렇게 할게요 | 그렇게 해볼게요 | 확인해 볼게요 | 확인해볼게요 | 찾아볼게요 | 생각해 볼게요
        생각해볼게요 | 가볼게요 | 됐어요 | 됐다 | 됐네요 | 됐습니다 | 해결됐어요 | 해결됐습니다
        해결했어요 | 이제 되네요 | 잘 되네요 | 충분해요 | 그거면 충분해요 | 제가 찾던 거예요
        딱 필요한 정보예요 | 맞아요 | 맞습니다 | 맞네요 | 그렇죠 | 동의해요 | 문제없어요
        신경 쓰지 마세요 | 미안 | 죄송해요 | 실례했습니다 | 아쉽네요 | 안타깝네요 | 슬프네요
        무섭네요 | 다행이네요 | 다행이에요
    """,
    "pt": """
        é tudo | era só isso | por enquanto é só | nada mais | mais nada | está perfeito
        parece ótimo | parece bom | vou lembrar disso | que boa notícia | tomei nota | está claro
        tudo claro | ficou claro | agora ficou claro | muito claro | percebi | já percebi
        agora percebi | já entendi | agora entendi | entendi agora | entendi tudo | compreendi
        compreendo | entendo | faz sentido | agora faz sentido | tá | tá certo | tá ótimo
        está ótimo | tudo certo | combinado | anotado | isso ajuda | isso ajuda muito
        isso me ajuda | isso me ajuda muito | ajuda muito | ajudou muito | me ajudou muito
        ajudou bastante | muito útil | foi útil | foi muito útil | bom saber | é bom saber
        não sabia | não sabia disso | interessante | muito interessante | que interessante
        boa resposta | ótima resposta | boa explicação | ótima explicação | bem explicado
        muito bem explicado | bom trabalho | parabéns | maravilha | maravilhoso | fantástico
        incrível | muito legal | que legal | que bom | muito bom | bom | show de bola | sensacional
        vou tentar | vou tentar isso | vou experimentar | vou testar | vou fazer isso | farei isso
        vou ver | vou ver isso | vou pensar | vou pensar nisso | vou dar uma olhada | agora funciona
        já funciona | funcionou | deu certo | agora deu certo | resolvido | era isso | é isso
        é isso mesmo | era isso que eu queria | era o que eu procurava | é o que eu precisava
        só isso | isso mesmo | exato | exatamente | pois é | ah | oh | opa | nossa | ufa | puxa
        que pena | que alívio | que triste | sem problema | não tem problema | não faz mal
        não se preocupe | lamento | sinto muito | peço desculpa | peço desculpas | me desculpe
        desculpas | mil desculpas | perdão | foi mal
    """,
    "ru": """
        на этом всё | больше ничего | больше ничего не нужно | звучит хорошо | это отлично
        это здорово | трогательно | очень трогательно | запомню | как мило | хорошая новость
        всё понятно | теперь понятно | теперь всё понятно | понятно теперь | всё ясно | теперь ясно
        теперь всё ясно | теперь понял | теперь поняла | я понял | я поняла | понял вас | буду знать
        учту | приму к сведению | принято | это помогло | помогло | очень помогло
        это очень помогло | мне помогло | вы очень помогли | вы мне очень помогли | вы мне помогли
        очень помогли | ты очень помог | ты мне помог | полезно | очень полезно | это полезно
        полезная информация | очень полезная информация | не знал | не знала | не знал этого
        не знала этого | интересно | очень интересно | как интересно | любопытно | удивительно
        хороший ответ | отличный ответ | хорошее объяснение | отличное объяснение | хорошо объяснили
        понятно объяснили | молодец | умница | браво | классно | шикарно | великолепно | идеально
        потрясающе | превосходно | попробую | я попробую | обязательно попробую | так и сделаю
        сделаю | посмотрю | я посмотрю | подумаю | я подумаю | надо подумать | почитаю
        теперь работает | всё работает | заработало | получилось | всё получилось | то что нужно
        это то что нужно | это то что я искал | это то что я искала | именно то что я искал
        именно то что я искала | вопросов нет | больше вопросов нет | этого достаточно | достаточно
        точно | верно | именно | ага | угу | ой | ох | ах | ух | ого | вау | фух | хм | ничего себе
        ничего страшного | не важно | неважно | прошу прощения | мои извинения | приношу извинения
        виноват | виновата | сожалею | жаль | как жаль | очень жаль | грустно | как грустно
    """,
    "th": """
        ไม่มีคำถามแล้ว | ฟังดูดี | แบบนี้ดีเลย | จะจำไว้ | จดไว้แล้ว | เข้าใจละ | ผมเข้าใจแล้ว | ฉันเข้าใจแล้ว
        ชัดเจน | ชัดเจนดี | กระจ่าง | อ๋อ | อ้อ | อืม | โห | ว้าว | แบบนี้นี่เอง | อย่างนี้นี่เอง | ช่วยได้มาก
        ช่วยได้เยอะ | มีประโยชน์ | เป็นประโยชน์ | ได้ความรู้ | ได้ความรู้ใหม่ | เพิ่งรู้ | น่าสนใจ | ดีจัง
        ดีเลย | เก่งมาก | เก่งจัง | เจ๋ง | ตอบได้ดี | ตอบดีมาก | อธิบายดี | อธิบายได้ดี | อธิบายได้ชัดเจน
        เข้าใจง่าย | จะลองดู | เดี๋ยวลองดู | เดี๋ยวจะลองดู | จะลองทำดู | เดี๋ยวลองทำดู | ขอลองดู | ขอลองดูก่อน
        ขอคิดดูก่อน | ขอคิดก่อน | จะทำตาม | จะทำตามนั้น | ใช้ได้แล้ว | ได้แล้ว | แก้ได้แล้ว | สำเร็จแล้ว
        เรียบร้อย | เรียบร้อยแล้ว | ทำได้แล้ว | นี่แหละที่ต้องการ | หมดคำถามแล้ว | ไม่มีอะไรแล้ว | พอแล้ว
        เท่านี้ | เท่านี้ก่อน | แค่นี้ก่อน | แค่นี้แหละ | ถูกต้อง | จริงด้วย | นั่นสิ | ใช่แล้ว | ได้เลย | ไม่มีปัญหา
        ไม่ต้องห่วง | ช่างมัน | ช่างเถอะ | ขออภัย | ขอโทษที | ขอโทษด้วย | น่าเสียดาย | น่าเศร้า | โล่งใจ
        โล่งอก | ไม่ครับ | ไม่ค่ะ | ไม่ใช่ครับ | ไม่ใช่ค่ะ
    """,
    "tr": """
        hepsi bu kadar | başka bir şey yok | başka sorum yok | kulağa hoş geliyor | bu harika
        bu çok iyi | aklımda tutacağım | not aldım | şimdi anladım | anladım şimdi | çok net
        gayet net | gayet açık | çok açık | her şey net | her şey açık | yardımcı oldu
        yardımcı oldun | yardımcı oldunuz | çok yardımcı oldu | çok yardımcı oldun
        çok yardımcı oldunuz | işime yaradı | çok işime yaradı | çok faydalı | çok faydalı oldu
        faydalı oldu | çok yararlı | çok yararlı oldu | iyi oldu | bilmiyordum | bunu bilmiyordum
        öğrenmiş oldum | ilginç | çok ilginç | ilginçmiş | ne güzel | ne güzelmiş | çok güzel
        güzelmiş | şahane | muhteşem | bravo | aferin | eline sağlık | ellerine sağlık
        elinize sağlık | iyi iş | güzel cevap | güzel açıklama | çok iyi açıkladın | deneyeceğim
        bunu deneyeceğim | bir deneyeyim | deneyeyim | deniyorum | bakacağım | bir bakayım
        düşüneceğim | bunu düşüneceğim | öyle yapacağım | öyle yaparım | oldu | çalıştı
        şimdi çalışıyor | hallettim | sorun çözüldü | aradığım buydu | bu yeterli | bu kadar
        bu kadar yeter | aynen | aynen öyle | kesinlikle | doğru | haklısın | haklısınız | vay
        vay be | neyse | boş ver | sorun değil | sorun yok | önemli değil | affedersin
        affedersiniz | kusura bakmayın | üzgünüm | çok üzgünüm | maalesef | yazık | ne yazık
        çok üzücü
    """,
    "vi": """
        hết rồi | vậy là hết | không còn gì nữa | nghe hay đấy | nghe được đấy | vậy là được
        tôi sẽ nhớ | tôi ghi nhận | tin vui quá | rõ rồi | rõ ràng | rất rõ ràng | đã rõ | đã hiểu
        hiểu | mình hiểu rồi | em hiểu rồi | giờ thì hiểu rồi | giờ tôi hiểu rồi | giờ mình hiểu rồi
        ra vậy | ra là vậy | thì ra là vậy | thế à | vậy à | ồ | à | ừ | hữu ích | rất hữu ích
        hữu ích quá | thông tin hữu ích | thông tin rất hữu ích | giúp ích nhiều | giúp tôi nhiều
        điều này giúp tôi nhiều | giúp tôi rất nhiều | giờ mới biết | tôi không biết điều đó
        hay thật | hay đấy | thú vị | thú vị quá | thú vị thật | rất thú vị | tuyệt quá | tuyệt thật
        giỏi quá | giỏi thật | giỏi lắm | xuất sắc | hoàn hảo | tốt quá | vậy thì tốt
        vậy thì tốt quá | thế thì tốt quá | may quá | câu trả lời hay | giải thích rõ ràng
        giải thích dễ hiểu | dễ hiểu quá | dễ hiểu | làm tốt lắm | tôi sẽ thử | mình sẽ thử
        em sẽ thử | sẽ thử | tôi sẽ thử xem | để tôi thử | để mình thử | để em thử | để tôi thử xem
        để mình thử xem | tôi sẽ làm vậy | tôi sẽ làm theo | để tôi suy nghĩ | tôi sẽ suy nghĩ
        để tôi xem | để mình xem | để em xem | làm được rồi | chạy được rồi | xong rồi | ổn rồi
        đúng rồi | đúng vậy | chính xác | chuẩn rồi | đúng cái tôi cần | đó là điều tôi cần
        thế là đủ | vậy là đủ | vậy thôi | thôi được | không sao | không sao đâu | không vấn đề gì
        đừng bận tâm | dạ không | không ạ | dạ có | có ạ | tôi xin lỗi | em xin lỗi | mình xin lỗi
        thành thật xin lỗi | tiếc quá | tiếc nhỉ
    """,
    "zh": """
        没有其他问题了 | 没有其他的了 | 没问题了 | 听起来不错 | 这样很好 | 不考虑了 | 我记住了
        记住了 | 我会记住的 | 原来如此 | 原来是这样 | 这样啊 | 清楚了 | 很清楚 | 非常清楚 | 我清楚了
        讲得很清楚 | 说得很清楚 | 解释得很清楚 | 懂 | 我懂了 | 现在明白了 | 现在懂了 | 这下明白了
        终于明白了 | 我了解了 | 有帮助 | 很有帮助 | 非常有帮助 | 对我很有帮助 | 帮大忙了 | 帮了大忙
        帮了我大忙 | 有用 | 很有用 | 太有用了 | 非常有用 | 很实用 | 学到了 | 学习了 | 受教了
        长见识了 | 长知识了 | 涨知识了 | 有意思 | 真有意思 | 很有意思 | 挺有意思的 | 有趣 | 很有趣
        真有趣 | 好用 | 很好用 | 真好用 | 真不错 | 很不错 | 挺好 | 挺好的 | 真好 | 很棒 | 好棒
        太厉害了 | 真厉害 | 回答得很好 | 说得对 | 说得好 | 讲得好 | 干得好 | 做得好 | 点赞 | 给力
        我试试 | 我试试看 | 我试一下 | 试试看 | 我去试试 | 我去试一下 | 我去看看 | 我看看 | 我去问问
        我想想 | 我再想想 | 让我想想 | 我考虑一下 | 就这么办 | 就这样吧 | 搞定 | 搞定了 | 解决了
        成功了 | 可以了 | 好了 | 能用了 | 连上了 | 行了 | 够了 | 这就够了 | 正是我需要的
        这正是我要找的 | 没有了 | 没别的了 | 没有问题了 | 没有别的问题了 | 打扰了 | 没错 | 确实
        确实如此 | 的确 | 有道理 | 同意 | 好嘞 | 好滴 | 好呀 | 好哦 | 行吧 | 行啊 | 是啊 | 对啊 | 哇
        唉 | 呵呵 | 嘿嘿 | 算了 | 不要紧 | 实在抱歉 | 非常抱歉 | 真对不起 | 我的错 | 是我的错 | 见谅
        可惜 | 可惜了 | 太可惜了 | 真遗憾 | 放心了 | 那就好 | 那太好了 | 原來如此 | 瞭解 | 瞭解了
        我試試 | 我試試看 | 試試看 | 很有幫助 | 幫了大忙 | 學到了 | 長知識了 | 長見識了 | 很實用
        解決了 | 沒錯 | 厲害 | 真不錯
    """,
}
"""Remarks on an answer, and apologies; by language, in its own writing."""
