import { t } from '../../texts/texts.js';

const WORDS: Readonly<Record<string, string>> = t.reasons;

/** What a reason of `why` means to somebody who does not know the word, and what one can do; nothing for others. */
export const PlainReason = ({ reason }: { readonly reason: string }) =>
  Object.hasOwn(WORDS, reason) ? <p className="why-plain">{WORDS[reason]}</p> : null;
