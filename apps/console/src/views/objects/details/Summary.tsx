import type { KubeObject } from '../../../kube/object.js';
import { visible, visibleLines } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { Containers } from './containers/Containers.js';
import { conditionsOf, factsOf, timeText, toneOfCondition } from './facts.js';
import { managedBy } from './managed.js';

const LABELS: Readonly<Record<string, string>> = t.objects.facts;
/** Characters of an annotation that are shown before it is opened. */
const SHORT = 160;

/** What an object says of itself. */
export function Summary({ object, isLive }: { readonly object: KubeObject; readonly isLive: boolean }) {
  const { metadata } = object;
  const conditions = conditionsOf(object);
  return (
    <>
      <section className="panel">
        <h2>{t.objects.about}</h2>
        <dl>
          {factsOf(object).map(({ label, value }) => (
            <Fact key={label} label={LABELS[label] ?? label} value={value} />
          ))}
          <Fact label={t.objects.created} value={timeText(metadata.creationTimestamp ?? '')} />
          <Fact label="UID" value={metadata.uid ?? ''} />
          {(metadata.finalizers ?? []).length > 0 && (
            <Fact label={t.objects.finalizers} value={metadata.finalizers!.join(', ')} />
          )}
        </dl>
      </section>
      <Containers object={object} isLive={isLive} />
      {conditions.length > 0 && (
        <section className="panel">
          <h2>{t.objects.conditions}</h2>
          <table>
            <tbody>
              {conditions.map((condition) => (
                <tr key={condition.type}>
                  <th scope="row">{visible(condition.type)}</th>
                  <td data-tone={toneOfCondition(condition)}>{visible(condition.status)}</td>
                  <td>
                    {visible(condition.reason ?? '')}{' '}
                    {condition.lastTransitionTime && (
                      <time className="quiet" dateTime={condition.lastTransitionTime}>
                        {t.objects.since(visible(timeText(condition.lastTransitionTime)))}
                      </time>
                    )}
                    {condition.message && <p className="hint">{visibleLines(condition.message)}</p>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Pairs title={t.objects.labels} pairs={metadata.labels ?? {}} />
      <Pairs title={t.objects.annotations} pairs={metadata.annotations ?? {}} />
      <ManagedPanel object={object} />
    </>
  );
}

const Fact = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <>
    <dt>{label}</dt>
    <dd>{visible(value)}</dd>
  </>
);

function Pairs({ title, pairs }: { readonly title: string; readonly pairs: Readonly<Record<string, string>> }) {
  const entries = Object.entries(pairs);
  if (entries.length === 0) return null;
  return (
    <section className="panel">
      <h2>{title}</h2>
      <ul className="pairs">
        {entries.map(([name, value]) => (
          <li key={name}>
            <code>{visible(name)}</code>
            {value.length <= SHORT ? (
              <span className="lines">{visibleLines(value.trimEnd())}</span>
            ) : (
              <details>
                <summary>{visible(value.slice(0, SHORT))} …</summary>
                <pre>{visibleLines(value)}</pre>
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ManagedPanel({ object }: { readonly object: KubeObject }) {
  const managed = managedBy(object.metadata.managedFields ?? []);
  if (managed.length === 0) return null;
  return (
    <section className="panel">
      <h2>{t.objects.managed}</h2>
      {managed.map(({ manager, operation, subresource, time, fields }) => (
        <details key={[manager, operation, subresource].join('/')}>
          <summary>
            <strong>{visible(manager)}</strong> {visible(operation)}
            {subresource && ` (${visible(subresource)})`} · {t.objects.fields(fields.length)} ·{' '}
            <time>{visible(time)}</time>
          </summary>
          <ul className="paths">
            {fields.map((field) => (
              <li key={field}>
                <code>{visible(field)}</code>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}
