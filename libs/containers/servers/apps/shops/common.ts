import { textOf } from '../../../../engine/kernel/bytes.js';
import { readAnswer } from '../../dial.js';
import type { AppServer, Told } from '../app.js';

export const bodyOf = ({ received }: Told): string | undefined => {
  const answer = readAnswer(received);
  return answer !== undefined && answer.status === 200 ? textOf(answer.body) : undefined;
};
export const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
export const at = ({ sys }: AppServer): string => new Date(sys.now).toISOString();
