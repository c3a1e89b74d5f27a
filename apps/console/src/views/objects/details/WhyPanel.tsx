import { useDeferredValue } from 'react';
import { useClusterHref, Link } from '../../../app/routing/router.js';
import { withParam } from '../../../app/routing/route.js';
import { findResource, resourceName, type Resource } from '../../../kube/resource.js';
import { PlainReason } from '../../../kube/why/PlainReason.js';
import { useWhy } from '../../../kube/why/use-why.js';
import { detailsOf, othersOf, WhyDetails } from '../../../kube/why/WhyDetails.js';
import { ErrorNotice, Waiting } from '../../../parts/Notice.js';
import { visible, visibleLines } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';

interface WhyPanelProps {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly resources: readonly Resource[];
  readonly namespace: string;
  readonly name: string;
  /** Asked anew when the object has another one. */
  readonly revision: string;
}

/** Why an object is as it is, in plain words, and how it came about. */
export function WhyPanel({ clusterId, resource, resources, namespace, name, revision }: WhyPanelProps) {
  const asked = useDeferredValue(revision);
  const spec = { resource: resourceName(resource), namespace, name };
  const { why, failure, isLoading } = useWhy({ clusterId, at: '' }, spec, asked);
  return (
    <section className="panel why" aria-live="polite">
      <h2>{t.objects.why}</h2>
      <ErrorNotice failure={failure} />
      {isLoading && !why && <Waiting what={t.objects.waitingForWhy} />}
      {why && (
        <>
          <PlainReason reason={why.reason} />
          {why.reason !== 'Well' && <p className="why-message">{visibleLines(why.message)}</p>}
          <WhyDetails lines={detailsOf(why)} />
          <ul className="findings">
            {othersOf(why).map(({ object, reason, message, details }) => (
              <li key={object + reason + message}>
                <ObjectLink clusterId={clusterId} resources={resources} text={object} />: {visible(reason)}{' '}
                {visibleLines(message)}
                <WhyDetails lines={details ?? []} />
              </li>
            ))}
          </ul>
          {why.chain.length > 0 && (
            <details>
              <summary>{t.objects.chain(why.chain.length)}</summary>
              <ol className="chain">
                {why.chain.map(({ revision: at, text }) => (
                  <li key={at}>
                    <RevisionLink revision={at} /> {visible(text)}
                  </li>
                ))}
              </ol>
              {why.chainEnds && <p className="hint">{visible(why.chainEnds)}</p>}
            </details>
          )}
        </>
      )}
    </section>
  );
}

/** 'pod/shop/web' or 'node/worker-1', as a link where the cluster serves it. */
export function ObjectLink({
  clusterId,
  resources,
  text,
}: {
  readonly clusterId: string;
  readonly resources: readonly Resource[];
  readonly text: string;
}) {
  const href = useClusterHref(clusterId);
  const [kind = '', ...rest] = text.split('/');
  const resource = findResource(resources, kind);
  const name = rest.at(-1);
  if (!resource || !name) return <>{visible(text)}</>;
  return (
    <Link href={href('objects', resourceName(resource), rest.length > 1 ? rest[0]! : '-', name)}>{visible(text)}</Link>
  );
}

/** The page as it was at a revision. */
export const RevisionLink = ({ revision }: { readonly revision: number }) => (
  <Link
    href={location.pathname + withParam(location.search, 'at', String(revision))}
    title={t.objects.atRevision(revision)}
  >
    #{revision}
  </Link>
);
