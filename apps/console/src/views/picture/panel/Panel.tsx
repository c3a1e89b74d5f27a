import { useState } from 'react';
import { useCluster } from '../../../app/cluster-context.js';
import { Link, useClusterHref } from '../../../app/routing/router.js';
import { PlainReason } from '../../../kube/why/PlainReason.js';
import { useWhy, type Why } from '../../../kube/why/use-why.js';
import { detailsOf, othersOf, WhyDetails } from '../../../kube/why/WhyDetails.js';
import { Button, IconButton } from '../../../parts/Button.js';
import { ErrorNotice, Waiting } from '../../../parts/Notice.js';
import { visible, visibleLines } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { factsOf, podsOf } from './facts-of.js';
import { resourceOf } from './resource.js';
import { TraceForm } from './TraceForm.js';
import type { Thing, World } from '../model/world.js';

interface PanelProps {
  readonly world: World;
  readonly thing: Thing;
  readonly turn: number;
  onSelect(uid: string): void;
  onClose(): void;
  onFault(): void;
}

/** What is known of the selected thing, and what can be done with it. */
export function Panel({ world, thing, onSelect, onClose, onFault }: PanelProps) {
  const { clusterId, at } = useCluster();
  const href = useClusterHref(clusterId);
  const { kind, name, namespace } = thing;
  const resource = resourceOf(kind);
  const isSender = kind === 'Pod' || kind === 'Node';
  return (
    <section className="picture-panel" aria-label={`${kind} ${visible(name)}`}>
      <header>
        <h2 tabIndex={-1}>
          <small>{kind}</small> {visible(name)}
        </h2>
        <IconButton icon="close" label={t.common.close} onClick={onClose} />
      </header>
      {namespace && <p className="quiet">{visible(namespace)}</p>}
      <dl>
        {factsOf(world, thing).map(({ key, text, to }, i) => (
          <div key={`${key}${i}`}>
            <dt>{t.picture.facts[key]}</dt>
            <dd>
              {to ? (
                <button type="button" className="picture-go" onClick={() => onSelect(to)}>
                  {visible(text)}
                </button>
              ) : (
                visibleLines(text)
              )}
            </dd>
          </div>
        ))}
        {kind !== 'Pod' && (
          <div>
            <dt>{t.picture.podsOf}</dt>
            <dd>{podsOf(world, thing).length}</dd>
          </div>
        )}
      </dl>
      <div className="picture-acts">
        {resource && <Link href={href('objects', resource, namespace || '-', name)}>{t.picture.object}</Link>}
        {kind === 'Pod' && <Link href={href('start', namespace, name)}>{t.picture.start}</Link>}
        {at === '' && FAULTY.has(kind) && (
          <Button icon="faults" onClick={onFault}>
            {t.faults.put}
          </Button>
        )}
      </div>
      <WhySection thing={thing} />
      {at === '' && isSender && <TraceForm world={world} from={thing} />}
    </section>
  );
}

const FAULTY = new Set([
  'Node',
  'Pod',
  'Service',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Namespace',
  'PersistentVolumeClaim',
]);

/** In plain words, why it is as it is, or was: of the present asked anew when it changed and the button is pressed. */
function WhySection({ thing }: { readonly thing: Thing }) {
  const { clusterId, at } = useCluster();
  const resource = resourceOf(thing.kind);
  const { namespace, name } = thing;
  const [asked, setAsked] = useState(thing.revision);
  const question = resource ? { resource, namespace, name } : undefined;
  const { why, failure, isLoading } = useWhy({ clusterId, at }, question, String(asked));
  if (!resource) return null;
  return (
    <section className="picture-why">
      <h3>
        {at === '' ? t.picture.why : t.picture.whyThen}
        {at === '' && asked !== thing.revision && (
          <Button onClick={() => setAsked(thing.revision)}>{t.picture.askAgain}</Button>
        )}
      </h3>
      <ErrorNotice failure={failure} />
      {isLoading && !why && <Waiting what={t.picture.whyWaiting} />}
      {why && <WhyText why={why} />}
    </section>
  );
}

const WhyText = ({ why }: { readonly why: Why }) => (
  <>
    <PlainReason reason={why.reason} />
    {why.reason !== 'Well' && <p>{visibleLines(why.message)}</p>}
    <WhyDetails lines={detailsOf(why)} />
    {othersOf(why).map(({ object, reason, message, details }, i) => (
      <details key={i}>
        <summary>
          <b>{visible(reason)}</b> {visible(object)}
        </summary>
        <p>{visibleLines(message)}</p>
        <WhyDetails lines={details ?? []} />
      </details>
    ))}
    {why.chain.length > 0 && <h4>{t.picture.chain}</h4>}
    <ol>
      {why.chain.map(({ revision, text }) => (
        <li key={revision}>
          <span className="quiet">{revision}</span> {visible(text)}
        </li>
      ))}
    </ol>
    {why.chainEnds && <p className="quiet">{visible(why.chainEnds)}</p>}
  </>
);
