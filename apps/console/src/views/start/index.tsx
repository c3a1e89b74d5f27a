import { useEffect, useMemo, useState } from 'react';
import { useQuery } from '../../api/graphql.js';
import { toFailure, type Failure } from '../../api/failure.js';
import { kubernetes } from '../../api/rest.js';
import { useCluster } from '../../app/cluster-context.js';
import { Link, useClusterHref } from '../../app/routing/router.js';
import { systemLast } from '../../kube/order.js';
import { EmptyState, ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import type { ViewProps } from '../views.js';
import { LIST_PODS } from './operations.generated.js';
import { formatSpan, layOutSteps, type Arrow, type Diagram } from './diagram.js';
import { podStart, type Recorded, type Step } from './pod-start.js';
import { readRecord } from './record.js';
import './start.css';

/** How one pod came to run, from the first write to Ready: /start/<namespace>/<pod>. */
export default function StartView({ rest: [namespace, name] }: ViewProps) {
  return namespace && name ? <Start key={`${namespace}/${name}`} namespace={namespace} name={name} /> : <Choice />;
}

function Start({ namespace, name }: { readonly namespace: string; readonly name: string }) {
  const { clusterId, at } = useCluster();
  const [answer, setAnswer] = useState<{ record?: Recorded; failure?: Failure }>({});
  useEffect(() => {
    let isLeft = false;
    readRecord(clusterId, at, namespace, name).then(
      (record) => isLeft || setAnswer({ record }),
      (error: unknown) => isLeft || setAnswer({ failure: toFailure(error) }),
    );
    return () => void (isLeft = true);
  }, [clusterId, at, namespace, name]);
  const steps = useMemo(() => (answer.record ? podStart(answer.record) : undefined), [answer.record]);
  return (
    <div className="page start">
      <div className="page-head">
        <h1>
          {t.start.title}: {visible(namespace)}/{visible(name)}
        </h1>
      </div>
      <ErrorNotice failure={answer.failure} />
      {!steps && !answer.failure && <Waiting what={t.start.waiting} />}
      {steps?.length === 0 && <EmptyState icon="time" title={t.start.none} />}
      {steps && steps.length > 0 && <Steps steps={steps} />}
    </div>
  );
}

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const diagram = useMemo(() => layOutSteps(steps), [steps]);
  return (
    <>
      <p>{t.start.took(formatSpan(diagram.arrows.at(-1)!.since))}</p>
      <div className="start-scroll" tabIndex={0} role="group" aria-label={t.start.diagram}>
        <Sequence diagram={diagram} />
      </div>
      <Table diagram={diagram} />
    </>
  );
}

const TEXT_GAP = 7;

const Sequence = ({ diagram: { w, h, columns, arrows } }: { readonly diagram: Diagram }) => (
  <svg className="sequence" width={w} height={h} viewBox={`0 0 ${w} ${h}`} role="img" aria-label={t.start.diagram}>
    {columns.map(({ part, x }) => (
      <g key={part} className={`part ${part}`}>
        <line x1={x} x2={x} y1={44} y2={h} />
        <rect x={x - 62} y={10} width={124} height={30} rx={8} />
        <text x={x} y={29} textAnchor="middle">
          {t.start.parts[part]}
        </text>
      </g>
    ))}
    {arrows.map((arrow, i) => (
      <ArrowLine key={i} arrow={arrow} />
    ))}
  </svg>
);

function ArrowLine({ arrow: { step, x1, x2, y, since, pause } }: { readonly arrow: Arrow }) {
  const isRight = x2 >= x1;
  const label = wordsOf(step).map(shorten).join(' ');
  return (
    <g className={`arrow ${step.kind} ${step.source}`}>
      <text className={pause > 1_000 ? 'when long' : 'when'} x={8} y={y + 4}>
        +{formatSpan(since)}
      </text>
      <line x1={x1} x2={x2 + (isRight ? -7 : 7)} y1={y} y2={y} />
      <path d={isRight ? `M${x2} ${y}l-8-4v8z` : `M${x2} ${y}l8-4v8z`} />
      <text x={Math.min(x1, x2) + 8} y={y - TEXT_GAP}>
        {label}
      </text>
    </g>
  );
}

/** An event says it in whole sentences of its own. */
const wordsOf = ({ kind, about, source }: Step): string[] =>
  source === 'event' && about ? [about] : [t.start.steps[kind], about];

const MOST = 44;
const shorten = (text: string): string => visible(text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text);

const Table = ({ diagram: { arrows } }: { readonly diagram: Diagram }) => (
  <table className="table start-steps">
    <thead>
      <tr>
        <th scope="col">{t.start.time}</th>
        <th scope="col">{t.start.from}</th>
        <th scope="col">{t.start.step}</th>
        <th scope="col">{t.start.to}</th>
        <th scope="col">{t.start.source}</th>
      </tr>
    </thead>
    <tbody>
      {arrows.map(({ step, since }, i) => (
        <tr key={i}>
          <td className="number">+{formatSpan(since)}</td>
          <td>
            {t.start.parts[step.from]} <span className="quiet">{visible(step.actor)}</span>
          </td>
          <td>{wordsOf(step).map(visible).join(' ')}</td>
          <td>{t.start.parts[step.to]}</td>
          <td className="quiet">{step.revision ? t.start.revision(step.revision) : t.start.sources[step.source]}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

interface PodItem {
  readonly metadata: { readonly namespace?: string; readonly name?: string };
}
/** Without a pod in the address: which one is meant? */
function Choice() {
  const { clusterId, at } = useCluster();
  const href = useClusterHref(clusterId);
  const now = useQuery(LIST_PODS, { id: clusterId }, { skip: at !== '' });
  const past = usePastPods(clusterId, at);
  const { pods, failure } =
    at === '' ? { pods: now.data?.objects.items as readonly PodItem[] | undefined, failure: now.failure } : past;
  return (
    <div className="page start">
      <div className="page-head">
        <h1>{t.start.choose}</h1>
      </div>
      <ErrorNotice failure={failure} />
      {!pods && !failure && <Waiting what={t.start.waiting} />}
      <ul className="start-choice">
        {[...(pods ?? [])].sort(byName).map(({ metadata: { namespace = '', name = '' } }) => (
          <li key={`${namespace}/${name}`}>
            <Link href={href('start', namespace, name)}>
              {visible(namespace)}/{visible(name)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const nameOf = ({ metadata: { namespace = '', name = '' } }: PodItem): string => `${namespace}/${name}`;
const byName = (a: PodItem, b: PodItem): number => systemLast(nameOf(a), nameOf(b));

interface Pods {
  readonly pods?: readonly PodItem[];
  readonly failure?: Failure;
}

/** The pods that were there at a moment; '' asks nothing. */
function usePastPods(clusterId: string, at: string): Pods {
  const [answer, setAnswer] = useState<Pods>({});
  useEffect(() => {
    if (at === '') return;
    let isLeft = false;
    setAnswer({});
    kubernetes({ clusterId, at }, '/api/v1/pods?limit=200')
      .then(async (response) => (await response.json()) as { readonly items: readonly PodItem[] })
      .then(
        ({ items }) => isLeft || setAnswer({ pods: items }),
        (error: unknown) => isLeft || setAnswer({ failure: toFailure(error) }),
      );
    return () => void (isLeft = true);
  }, [clusterId, at]);
  return answer;
}
