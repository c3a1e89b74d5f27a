import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import type { Stream, Streams } from '../model/flows.js';
import type { Thing } from '../model/world.js';

const MAX_SHOWN = 40;

interface FlowListProps {
  readonly streams: Streams;
  /** Of this thing only. */
  readonly thing?: Thing;
  onSelect(uid: string): void;
}

/** Who talks to whom, with the verdict and the rule that has decided: what the picture's dashes say, in words. */
export function FlowList({ streams, thing, onSelect }: FlowListProps) {
  const shown = [...streams.all]
    .filter(({ from, to }) => !thing || from === thing || to === thing)
    .sort((a, b) => Number(b.isRefused) - Number(a.isRefused) || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_SHOWN);
  return (
    <section className="picture-flows" aria-label={t.picture.flows}>
      <h2>{t.picture.flows}</h2>
      {shown.length === 0 && <p className="quiet">{t.picture.noFlows}</p>}
      <ul>
        {shown.map((stream) => (
          <FlowLine key={stream.key} stream={stream} onSelect={onSelect} />
        ))}
      </ul>
    </section>
  );
}

const FlowLine = ({ stream, onSelect }: { readonly stream: Stream; onSelect(uid: string): void }) => {
  const { from, to, flow, isRefused, count } = stream;
  return (
    <li className={isRefused ? 'bad' : ''}>
      <End thing={from} onSelect={onSelect} /> <span aria-hidden="true">→</span> <End thing={to} onSelect={onSelect} />{' '}
      <span className="quiet">:{flow.port}</span> <b>{visible(flow.verdict)}</b> ×{count}
      {flow.decided && <p className="quiet">{visible(flow.decided)}</p>}
    </li>
  );
};

const End = ({ thing, onSelect }: { readonly thing: Thing; onSelect(uid: string): void }) => (
  <button type="button" className="picture-go" onClick={() => onSelect(thing.uid)}>
    {thing.kind === 'Pod' ? '' : `${thing.kind} `}
    {visible(thing.name)}
  </button>
);
