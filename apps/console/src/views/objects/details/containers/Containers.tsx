import { textAt, type KubeObject } from '../../../../kube/object.js';
import { visible, visibleLines } from '../../../../parts/text.js';
import { t } from '../../../../texts/texts.js';
import { containersOf } from '../facts.js';
import { linesOf, templateContainers, type ContainerLine } from './container-facts.js';

/** The containers of a pod, with their states; or those that a workload gives its pods. */
export function Containers({ object }: { readonly object: KubeObject }) {
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
            <tr key={name}>
              <Name name={name} isInit={isInit} lines={linesOf(spec, status)} />
              <td>{visible(image)}</td>
              <td data-tone={isReady || state === 'Completed' ? 'good' : 'wait'}>
                {visible(state)}
                {detail && <p className="hint">{visible(detail)}</p>}
              </td>
              <td>{restarts}</td>
            </tr>
          ))}
          {template.map(({ container, isInit }) => (
            <tr key={textAt(container, 'name')}>
              <Name name={textAt(container, 'name')} isInit={isInit} lines={linesOf(container)} />
              <td>{visible(textAt(container, 'image'))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const COLUMNS = [t.objects.name, t.objects.image];

interface NameProps {
  readonly name: string;
  readonly isInit: boolean;
  readonly lines: readonly ContainerLine[];
}

/** Opens what the container asks for and is given. */
const Name = ({ name, isInit, lines }: NameProps) => (
  <th scope="row">
    {lines.length === 0 ? (
      visible(name)
    ) : (
      <details>
        <summary>{visible(name)}</summary>
        <dl>
          {lines.map(({ label, values }) => (
            <Line key={label} label={t.objects.container[label]} values={values} />
          ))}
        </dl>
      </details>
    )}
    {isInit && <small>{t.objects.init}</small>}
  </th>
);

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
