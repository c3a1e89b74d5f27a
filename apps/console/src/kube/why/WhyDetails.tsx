import { visible } from '../../parts/text.js';
import type { Why } from './why.generated.js';

/** How `why` marks a line that a container has written. */
const WRITTEN = '| ';

/** What a finding says of each node, or the last lines that a container has written. */
export const WhyDetails = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.length === 0 ? null : (
    <ul className="why-details">
      {lines.map((line, i) => (
        <li key={i}>{line.startsWith(WRITTEN) ? <code>{visible(line.slice(WRITTEN.length))}</code> : visible(line)}</li>
      ))}
    </ul>
  );

/** Those of the finding that the answer begins with. */
export const detailsOf = ({ findings, message }: Why): readonly string[] =>
  findings.find((one) => one.message === message)?.details ?? [];

/** What else there is to say. */
export const othersOf = ({ findings, message }: Why): Why['findings'] =>
  findings.filter((one) => one.message !== message);
