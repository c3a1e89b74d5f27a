import { Suspense } from 'react';
import { useCluster } from '../../app/cluster-context.js';
import { lazyPart } from '../../app/routing/load-patiently.js';
import { Link, useClusterHref } from '../../app/routing/router.js';
import { PlainReason } from '../../kube/why/PlainReason.js';
import { useWhy } from '../../kube/why/use-why.js';
import { WhyDetails } from '../../kube/why/WhyDetails.js';
import { Meter } from '../../parts/Meter.js';
import { ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible, visibleLines } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { formatBytes, formatCpu } from '../picture/model/format.js';
import { resourceOf } from '../picture/panel/resource.js';
import type { Thing } from '../picture/model/world.js';
import { keyOf, type Capacity, type Ill, type Tally } from './health.js';
import { useHealth } from './use-health.js';

/** After what one came for: few clusters measure. */
const Used = lazyPart(() => import('./Used.js'));
/** Each is asked about, so that there is an end to it. */
const MAX_SHOWN = 12;
const MAX_DETAILS = 4;

/** What is not well in the cluster, each with its plain reason and where to look; that all is well, otherwise. */
export function Health() {
  const { clusterId, at } = useCluster();
  const { health, failure } = useHealth(clusterId, at);
  return (
    <section className="health" aria-labelledby="health-title">
      <h2 id="health-title">{t.overview.health}</h2>
      <ErrorNotice failure={failure} />
      {!health && !failure && <Waiting what={t.overview.waitingForHealth} />}
      {health && (
        <>
          <Tallies tallies={health.tallies} />
          <Asked capacity={health.capacity} />
          {at === '' && (
            <Suspense fallback={null}>
              <Used clusterId={clusterId} capacity={health.capacity} />
            </Suspense>
          )}
          {health.ills.length === 0 && <p className="health-well">{t.overview.allWell}</p>}
          <ul className="ills">
            {health.ills.slice(0, MAX_SHOWN).map((ill) => (
              <IllCard key={keyOf(ill)} ill={ill} />
            ))}
          </ul>
          {health.ills.length > MAX_SHOWN && (
            <p className="quiet">{t.overview.moreIlls(health.ills.length - MAX_SHOWN)}</p>
          )}
        </>
      )}
    </section>
  );
}

/** How full the cluster is: what no new pod can ask for any more. */
const Asked = ({ capacity: { cpu, memory } }: { readonly capacity: Capacity }) => (
  <div className="asked">
    <Meter label={t.overview.asked('CPU', formatCpu(cpu.used), formatCpu(cpu.all))} {...cpu} />
    <Meter label={t.overview.asked(t.objects.memory, formatBytes(memory.used), formatBytes(memory.all))} {...memory} />
  </div>
);

function Tallies({ tallies }: { readonly tallies: readonly Tally[] }) {
  const { clusterId } = useCluster();
  const href = useClusterHref(clusterId);
  return (
    <ul className="tallies">
      {tallies.map(({ kind, well, all }) => (
        <li key={kind}>
          <Link href={href('objects', resourceOf(kind)!)} className={well < all ? 'tally bad' : 'tally'}>
            {t.overview.tally(kind, well, all)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function IllCard({ ill: { thing, status, owner, count } }: { readonly ill: Ill }) {
  const others = owner ? ` ${t.overview.of(owner.kind, visible(owner.name))}` : '';
  return (
    <li>
      <p className="ill-head">
        <span className="state halted">{visible(status)}</span> {thing.kind} <ThingLink thing={thing} />
        <span className="quiet">
          {others}
          {count > 1 && ` ${t.overview.alike(count - 1)}`}
        </span>
      </p>
      <Reason thing={thing} status={status} />
    </li>
  );
}

/** What `why` says in plain words, and what it names for it. */
function Reason({ thing, status }: { readonly thing: Thing; readonly status: string }) {
  const { clusterId, at } = useCluster();
  const { kind, namespace, name, is } = thing;
  const turn = `${status} ${is.scheduled ?? ''} ${is.restarts ?? 0}`;
  const { why, failure, isLoading } = useWhy({ clusterId, at }, { resource: resourceOf(kind)!, namespace, name }, turn);
  const details = (why?.findings[0]?.details ?? []).slice(0, MAX_DETAILS);
  const evidence = why?.findings.find(({ object }) => !object.endsWith(`/${name}`))?.object;
  return (
    <>
      {why && <PlainReason reason={why.reason} />}
      {why && <p className="ill-why">{visibleLines(why.message)}</p>}
      <WhyDetails lines={details} />
      {!why && !isLoading && <p className="ill-why">{visibleLines(is.scheduled ?? is.message ?? is.reason ?? '')}</p>}
      {isLoading && !why && <Waiting what={t.objects.waitingForWhy} />}
      {failure && <p className="quiet">{visibleLines(failure.message)}</p>}
      <p className="ill-links">
        <ThingLink thing={thing} text={t.overview.evidence} />
        {evidence && <EvidenceLink object={evidence} />}
      </p>
    </>
  );
}

function ThingLink({ thing, text }: { readonly thing: Thing; readonly text?: string }) {
  const { clusterId } = useCluster();
  const href = useClusterHref(clusterId);
  const { kind, namespace, name } = thing;
  const shown = visible(namespace ? `${namespace}/${name}` : name);
  return (
    <Link
      href={href('objects', resourceOf(kind)!, namespace || '-', name)}
      {...(text ? { 'aria-label': `${text} ${shown}` } : {})}
    >
      {text ?? shown}
    </Link>
  );
}

/** 'pod/shop/web', 'node/worker-1': what a finding is about. The objects' view knows what such a word means. */
function EvidenceLink({ object }: { readonly object: string }) {
  const { clusterId } = useCluster();
  const href = useClusterHref(clusterId);
  const [kind = '', ...rest] = object.split('/');
  const name = rest.at(-1);
  if (!kind || !name) return null;
  return <Link href={href('objects', kind, rest.length > 1 ? rest[0]! : '-', name)}>{visible(object)}</Link>;
}
