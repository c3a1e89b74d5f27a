import { Suspense } from 'react';
import { lazyPart } from '../../../app/routing/load-patiently.js';
import type { KubeObject } from '../../../kube/object.js';
import type { Resource } from '../../../kube/resource.js';
import { Waiting } from '../../../parts/Notice.js';
import { t } from '../../../texts/texts.js';
import { Doors } from './doors/Doors.js';
import { Events } from './Events.js';
import { Metrics } from './Metrics.js';
import { Related } from './Related.js';
import { Summary } from './Summary.js';
import { isMeasured, metricsPath } from '../usage/usage.js';
import { WhyPanel } from './WhyPanel.js';

const Data = lazyPart(() => import('./data/Data.js'));
const Allocated = lazyPart(() => import('./allocated/Allocated.js'));

interface SummaryTabProps {
  readonly clusterId: string;
  readonly at: string;
  readonly resource: Resource;
  readonly resources: readonly Resource[];
  readonly namespace: string;
  readonly name: string;
  readonly object: KubeObject;
  readonly isGone: boolean;
}

/** Shown decoded, key by key. */
const hasData = ({ kind, apiVersion }: KubeObject): boolean =>
  apiVersion === 'v1' && (kind === 'Secret' || kind === 'ConfigMap');

/** What an object is, why it is so, where one comes into it, and what belongs to it. */
export default function SummaryTab({ object, isGone, ...about }: SummaryTabProps) {
  const { clusterId, at, resource, resources } = about;
  return (
    <div className="details-columns">
      <div>
        {at === '' && <WhyPanel {...about} revision={object.metadata.resourceVersion ?? ''} />}
        <Suspense fallback={<Waiting what={t.common.loading} />}>
          {hasData(object) && <Data object={object} resource={resource} isReadOnly={at !== '' || isGone} />}
          {object.kind === 'Node' && <Allocated clusterId={clusterId} at={at} node={object} />}
        </Suspense>
        <Doors clusterId={clusterId} object={object} isLive={at === '' && !isGone} />
        <Summary object={object} isLive={at === '' && !isGone} />
        {at === '' && isMeasured(object) && <Metrics clusterId={clusterId} path={metricsPath(object, resources)} />}
      </div>
      <div>
        <Related object={object} resources={resources} />
        <Events object={object} />
      </div>
    </div>
  );
}
