"""Messages that go on with what was talked about: "上个月呢", "再订一个", "and last month?"."""

import re
from collections.abc import Iterable

from bot.core.patterns import regex
from bot.core.routing import Classification, RoutingContext, Source
from bot.rules import score

CONFIDENCE = 0.85
LONGEST = 30
SPEAKS = 2.0
"""From this weight on, words of another agent are a wish of their own."""

_GOES_ON = regex(
    r"(?:那么?|还有|再)?.{1,12}(?:呢|咧|如何|怎么样|咋样)[？?。\s]*"
    r"|(?:再|多)(?:来|订|定|加|记|设|约|弄|给我)?(?:一|两|2|1)?(?:个|条|笔|次|间|遍|份|单).{0,10}"
    r"|(?:还有(?:吗|呢)?|继续|然后呢|接着(?:说|讲)?|同样的|一样的)[？?。\s]*"
    r"|(?:再|重新)?(?:换|改|挪|推|提前|延|加|减)(?:成|到|为|个|一下)?.{1,14}"
    r"|(?:按|只看|仅看|分|算上|不算|除了|包括).{1,14}"
    r"|(?:上|下|前|这|去|今|本)(?:一?个?)?(?:月|周|星期|季度|年|天)(?:的)?[？?。\s]*"
    r"|(?:and|what about|how about|same for|also) .{1,24}\??"
    r"|(?:another|one more|again|go on|continue|more)(?: one| please)*[.!?\s]*"
    r"|(?:make|change|move|push) (?:it|that) .{1,20}",
    re.IGNORECASE,
)


class FollowUps:
    """A source that looks at the last answer only; labelled as the rule that it is."""

    def __init__(self, enabled: Iterable[str]) -> None:
        self._enabled = frozenset(enabled)

    @property
    def source(self) -> Source:
        """How its decisions are labelled."""
        return Source.RULE_FALLBACK

    async def classify(self, context: RoutingContext) -> Classification | None:
        """Return the agent that answered last when the message only makes sense with it."""
        last = context.last_agent
        words = context.text.strip()
        if last is None or last not in self._enabled or len(words) > LONGEST or context.has_image:
            return None
        if _GOES_ON.fullmatch(words) is None:
            return None
        speaking = {label: weight for label, weight in score(words).items() if weight >= SPEAKS}
        if speaking and max(speaking, key=lambda label: speaking[label]) != last:
            return None
        return Classification(ranked=((last, CONFIDENCE),))
