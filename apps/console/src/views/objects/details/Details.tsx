import { Suspense, useState, type ReactNode } from 'react';
import { useCluster } from '../../../app/cluster-context.js';
import { lazyPart } from '../../../app/routing/load-patiently.js';
import { Link, navigate, useClusterHref, useUrlState } from '../../../app/routing/router.js';
import { resourceName, type Resource } from '../../../kube/resource.js';
import { Button } from '../../../parts/Button.js';
import { ErrorNotice, Waiting } from '../../../parts/Notice.js';
import { Tabs } from '../../../parts/Tabs.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { ActionButtons } from '../actions/ActionBar.js';
import { hasRevisions } from '../rollout/has-revisions.js';
import { useObject } from './useObject.js';

const TAB = new URLSearchParams(location.search).get('tab');
const Yaml = lazyPart(() => import('./Yaml.js'), TAB === 'yaml');
// What few objects have, or few look at, is no part of the first load of all others.
const SummaryTab = lazyPart(() => import('./SummaryTab.js'), TAB === null || TAB === 'summary');
const History = lazyPart(() => import('./History.js'), TAB === 'history');
const Revisions = lazyPart(() => import('../rollout/Revisions.js'), TAB === 'revisions');

interface DetailsProps {
  readonly resource: Resource;
  readonly resources: readonly Resource[];
  readonly namespace: string;
  readonly name: string;
}

/** One object: what it is, why it is so, what belongs to it, how it came about, and its text. */
export default function Details({ resource, resources, namespace, name }: DetailsProps) {
  const { clusterId, at } = useCluster();
  const href = useClusterHref(clusterId);
  const [tab, setTab] = useUrlState('tab', 'summary');
  const { object, failure, isGone } = useObject({ clusterId, at }, resource, namespace, name);
  const [, setActed] = useState(0);
  const list = href('objects', resourceName(resource));
  const about = { clusterId, at, resource, resources, namespace, name };
  const tabs: { id: string; title: string; content: ReactNode }[] = object
    ? [
        {
          id: 'summary',
          title: t.objects.tabs.summary,
          content: (
            <Suspense fallback={<Waiting what={t.common.loading} />}>
              <SummaryTab {...about} object={object} isGone={isGone} />
            </Suspense>
          ),
        },
        {
          id: 'yaml',
          title: t.objects.tabs.yaml,
          content: (
            <Suspense fallback={<Waiting what={t.common.loading} />}>
              <Yaml object={object} resources={resources} isReadOnly={at !== '' || isGone} />
            </Suspense>
          ),
        },
        ...(hasRevisions(resource)
          ? [
              {
                id: 'revisions',
                title: t.objects.tabs.revisions,
                content: (
                  <Suspense fallback={<Waiting what={t.common.loading} />}>
                    <Revisions clusterId={clusterId} at={at} resource={resource} object={object} isGone={isGone} />
                  </Suspense>
                ),
              },
            ]
          : []),
        {
          id: 'history',
          title: t.objects.tabs.history,
          content: (
            <Suspense fallback={<Waiting what={t.common.loading} />}>
              <History {...about} revision={object.metadata.resourceVersion ?? ''} />
            </Suspense>
          ),
        },
      ]
    : [];
  return (
    <article className="details">
      <header className="details-head">
        <Link href={list}>{resource.resource}</Link>
        <h1>
          {visible(name)} {namespace && <small>{visible(namespace)}</small>}
        </h1>
        {object?.metadata.deletionTimestamp && <span className="badge warn">{t.objects.deleting}</span>}
        {isGone && <span className="badge bad">{t.objects.gone}</span>}
        <span className="space" />
        {at === '' && object && !isGone && (
          <ActionButtons
            clusterId={clusterId}
            resource={resource}
            targets={[{ key: '', namespace, name }]}
            object={object}
            onDone={(action) => (action === 'delete' ? navigate(list) : setActed((n) => n + 1))}
          />
        )}
        <Button icon="close" className="details-back" onClick={() => navigate(list)}>
          {t.objects.back}
        </Button>
      </header>
      <ErrorNotice failure={failure} />
      {!object && !failure && <Waiting what={t.objects.waitingForObject(visible(name))} />}
      {object && <Tabs label={t.objects.tabs.label} tabs={tabs} value={tab} onChange={setTab} />}
    </article>
  );
}
