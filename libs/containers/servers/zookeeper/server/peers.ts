import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import type { Question } from './ensemble.js';
import type { Own } from './quorum.js';
import { applyChange, isChange, isTree, type Change } from './tree.js';

const MAX_QUESTION = 4 << 20;

/** The answer to another server's line; a change is one that this server is to lead. Undefined: it is not whole. */
export function answerPeer(sys: Syscalls, own: Own, received: Bytes, keep: () => void): Bytes | Change | undefined {
  if (received.length > MAX_QUESTION) return '\n';
  if (!received.endsWith('\n')) return undefined;
  const question = readQuestion(received);
  if (question === undefined) return '\n';
  if (question.ask === 'write') return question.change;
  if (question.ask === 'replace' && question.tree.zxid > own.tree.zxid) {
    own.tree = question.tree;
    keep();
  }
  if (question.ask === 'apply' && question.before === own.tree.zxid) {
    applyChange(own.tree, question.change, question.zxid, question.at);
    keep();
  }
  sys.charge(received.length >> 4);
  const tree = question.ask === 'tree' ? { tree: own.tree } : {};
  return `${JSON.stringify({ id: own.configuration!.id, zxid: own.tree.zxid, ...tree })}\n`;
}

function readQuestion(received: Bytes): Question | undefined {
  try {
    const question = JSON.parse(received) as Question | null;
    if (question?.ask === 'state' || question?.ask === 'tree') return question;
    if (question?.ask === 'replace') return isTree(question.tree) ? question : undefined;
    return question !== null && 'change' in question && isChange(question.change) ? question : undefined;
  } catch {
    return undefined;
  }
}
