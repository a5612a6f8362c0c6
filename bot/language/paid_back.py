"""Words behind a sum that somebody else bears: 体检650公司报销, taxi 20 reimbursed by work."""

from typing import Final, Literal

from bot.core.patterns import regex

_PAYER: Final = r"(?:公司|单位|老板|医保|社保|保险|学校|客户|甲方)"
_LINK: Final = r"[ ,块元钱(]*(?:这[笔个]?|都|全部?|也|就|是|找|由|让|走|的)*"
_LATER: Final = regex(
    rf"{_LINK}(?:{_PAYER}|可以?|能|会|要|待|等|给|全额|部分|拿去|回头|之后|去|来|申请)*"
    r"报销?(?![到销款单费案了])"
    rf"|{_LINK}{_PAYER}(?:可以?|能|会|要|给)*报(?:销)?(?:吧|的)?[ ,;。)]*$"
    r"|[ ,(]*(?:\w+ )?(?:(?:which|that) )?(?:(?:company|work|boss|insurance|they|it) )?"
    r"(?:(?:will|can|to be|is|should) )+(?:be )?(?:reimburse|expense)"
    r"|[ ,(]*(?:is )?reimbursable\b"
)
"""The money is still to come back; until then it was spent."""

_DONE: Final = regex(
    rf"{_LINK}(?:{_PAYER}|都|给|全额)*"
    r"(?:报销?(?:完|过)?了|已经?(?:给|全额)*报销?(?:完|过|了)*)(?! ?\d)"
    rf"|{_LINK}{_PAYER}(?:出|付|掏|请|买单|结|承担)(?:的|了|钱)*[ ,;。)]*$"
    r"|[ ,(]*(?:was |is |got |been )*(?:reimbursed|paid for|covered|paid)"
    r" by (?:the |my )?(?:company|work|boss|insurance|office)"
    r"|[ ,(]*(?:was |is |got |already |been )*reimbursed[ .!)]*$"
)
"""It came back, or was never paid: whether there is anything to book is for the person to say."""


_RETURNED: Final = regex(
    r"[ ,块元钱]*(?!我)[^\d,;。]{0,4}?(?:都|已经?|又|也)*(?:给我转|转给我|转我|还我|给我|还给我)"
    r"(?:过|回来)?了(?:钱)?[ ,;。)]*$"
)
"""Somebody gave the money back, or their part of it."""


def paid_back(after: str) -> Literal["later", "done", ""]:
    """Whether words right behind a sum say that it is or was paid back.

    Args:
        after: The message in one spelling from the end of the sum on.
    """
    if _RETURNED.match(after):
        return "done"
    if "报" not in after and "reimb" not in after and not _BORNE.search(after):
        return ""
    if _DONE.match(after):
        return "done"
    return "later" if _LATER.match(after) else ""


_BORNE: Final = regex(rf"{_PAYER}[出付掏请买结承]|\b(?:expense|covered|paid)\b")
