import { Fragment, type ReactNode } from 'react';
import { useCluster } from '../../../../app/cluster-context.js';
import { Link, useClusterHref } from '../../../../app/routing/router.js';
import { at, textAt, type KubeObject } from '../../../../kube/object.js';
import { visible, visibleLines } from '../../../../parts/text.js';
import { t } from '../../../../texts/texts.js';
import { containersOf } from '../facts.js';
import { linesOf, templateContainers, type ContainerLine } from './container-facts.js';

/** The containers of a pod, with their states; or those that a workload gives its pods. */
export function Containers({ object, isLive }: { readonly object: KubeObject; readonly isLive: boolean }) {
  const own = containersOf(object);
  const template = templateContainers(object);
  if (own.length + template.length === 0) return null;
  const isPod = own.length > 0;
  const columns = isPod ? [t.objects.name, t.objects.image, t.objects.state, t.objects.restarts] : COLUMNS;
  return (
    <section className="panel containers">
      <h2>{isPod ? t.objects.containers : t.objects.template}</h2>
      <table>
        <thead>
          <tr>
            {columns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {own.map(({ name, image, state, detail, restarts, isReady, isInit, spec, status }) => (
            <Fragment key={name}>
              <tr>
                <Name name={name} isInit={isInit} />
                <td>{visible(image)}</td>
                <td data-tone={isReady || state === 'Completed' ? 'good' : 'wait'}>
                  {visible(state)}
                  {detail && <p className="hint">{visible(detail)}</p>}
                </td>
                <td>{restarts}</td>
              </tr>
              <More name={name} span={columns.length} lines={linesOf(spec, status)}>
                {isLive && (
                  <Ways pod={object} container={name} isRunning={at(status, 'state', 'running') !== undefined} />
                )}
              </More>
            </Fragment>
          ))}
          {template.map(({ container, isInit }) => {
            const name = textAt(container, 'name');
            return (
              <Fragment key={name}>
                <tr>
                  <Name name={name} isInit={isInit} />
                  <td>{visible(textAt(container, 'image'))}</td>
                </tr>
                <More name={name} span={columns.length} lines={linesOf(container)} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const COLUMNS = [t.objects.name, t.objects.image];

const Name = ({ name, isInit }: { readonly name: string; readonly isInit: boolean }) => (
  <th scope="row">
    {visible(name)} {isInit && <small>{t.objects.init}</small>}
  </th>
);

interface MoreProps {
  readonly name: string;
  readonly span: number;
  readonly lines: readonly ContainerLine[];
  readonly children?: ReactNode;
}

/** What the container asks for and is given, below it. */
const More = ({ name, span, lines, children }: MoreProps) =>
  (lines.length > 0 || Boolean(children)) && (
    <tr className="container-more">
      <td colSpan={span}>
        {children}
        {lines.length > 0 && (
          <details>
            <summary aria-label={t.objects.containerMoreOf(visible(name))}>{t.objects.containerMore}</summary>
            <dl>
              {lines.map(({ label, values }) => (
                <Line key={label} label={t.objects.container[label]} values={values} />
              ))}
            </dl>
          </details>
        )}
      </td>
    </tr>
  );

/** Into this container, where a pod has several. */
function Ways({
  pod,
  container,
  isRunning,
}: {
  readonly pod: KubeObject;
  readonly container: string;
  readonly isRunning: boolean;
}) {
  const { clusterId } = useCluster();
  const href = useClusterHref(clusterId);
  const { namespace, name } = pod.metadata;
  const place = `${namespace}/${name}/${container}`;
  const ways = [
    ['logs', href('logs'), 'pods', place],
    ...(isRunning
      ? ([
          ['terminal', href('terminal'), 'open', place],
          ['attach', href('terminal'), 'open', `attach/${place}`],
        ] as const)
      : []),
  ] as const;
  return (
    <p className="container-ways">
      {ways.map(([action, view, key, value]) => (
        <Link
          key={action}
          href={`${view}${view.includes('?') ? '&' : '?'}${key}=${encodeURIComponent(value)}`}
          aria-label={t.objects.actionIn(t.objects.actions[action], visible(container))}
        >
          {t.objects.actions[action]}
        </Link>
      ))}
    </p>
  );
}

const Line = ({ label, values }: { readonly label: string; readonly values: readonly string[] }) => (
  <>
    <dt>{label}</dt>
    {values.map((value, i) => (
      <dd key={i}>
        <code className="lines">{visibleLines(value)}</code>
      </dd>
    ))}
  </>
);
