import { useId, useState, type FormEvent } from 'react';
import { useCluster } from '../../../app/cluster-context.js';
import { toFailure, type Failure } from '../../../api/failure.js';
import { request } from '../../../api/graphql.js';
import { Button } from '../../../parts/Button.js';
import { Field } from '../../../parts/Field.js';
import { ErrorNotice } from '../../../parts/Notice.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { TRACE_PACKET, type Trace } from '../model/operations.generated.js';
import type { Thing, World } from '../model/world.js';

/** Offered to choose from. */
const MAX_OFFERED = 200;

/** A packet from the selected thing to anywhere, hop by hop. */
export function TraceForm({ world, from }: { readonly world: World; readonly from: Thing }) {
  const { clusterId } = useCluster();
  const [to, setTo] = useState('');
  const [port, setPort] = useState('');
  const [answer, setAnswer] = useState<{ trace?: Trace; failure?: Failure }>({});
  const list = useId();
  const sender = from.kind === 'Pod' ? `pod/${from.namespace}/${from.name}` : `node/${from.name}`;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    request(TRACE_PACKET, { id: clusterId, from: sender, to, ...(port ? { port } : {}) }).then(
      ({ trace }) => setAnswer({ trace }),
      (error: unknown) => setAnswer({ failure: toFailure(error) }),
    );
  };
  return (
    <section className="picture-trace">
      <h3>{t.picture.trace}</h3>
      <form onSubmit={send}>
        <Field label={t.picture.traceTo}>
          {(control) => <input {...control} list={list} value={to} required onChange={(e) => setTo(e.target.value)} />}
        </Field>
        <Field label={t.picture.tracePort}>
          {(control) => <input {...control} value={port} size={6} onChange={(e) => setPort(e.target.value)} />}
        </Field>
        <Button type="submit">{t.picture.traceSend}</Button>
        <datalist id={list}>
          {targetsOf(world).map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </form>
      <ErrorNotice failure={answer.failure} />
      {answer.trace && <Hops trace={answer.trace} />}
    </section>
  );
}

function targetsOf(world: World): string[] {
  const targets: string[] = [];
  for (const [kind, word] of [
    ['Service', 'service'],
    ['Pod', 'pod'],
  ] as const)
    for (const { namespace, name } of world.all(kind)) {
      if (targets.length >= MAX_OFFERED) return targets;
      targets.push(`${word}/${namespace}/${name}`);
    }
  return targets;
}

const Hops = ({ trace: { verdict, reason, hops } }: { readonly trace: Trace }) => (
  <div role="status">
    <p className={`verdict ${verdict === 'Delivered' ? 'good' : 'bad'}`}>
      <b>{verdict}</b> {visible(reason)}
    </p>
    <ol className="hops">
      {hops.map(({ at, type, text }, i) => (
        <li key={i} className={type}>
          <b>{visible(at)}</b> <span className="quiet">{type}</span>
          <code>{visible(text)}</code>
        </li>
      ))}
    </ol>
  </div>
);
