import { matchesTerm, type LabelOperator, type Labels } from '../../../machinery/selectors/requirement.js';
import { NAMESPACE_LABELS, POD_NAMESPACE } from '../../cni/cilium/labels.js';
import { fieldsOf, listOf, textOf, textsOf, type Fields } from './fields.js';

/** What a selector asks of an identity's labels. */
export type LabelTest = (labels: Labels) => boolean;

interface Term {
  readonly key: string;
  readonly operator: LabelOperator | undefined;
  readonly values: readonly string[];
}

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  ...{ In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' },
};

/** Labels of pods are of the source k8s, which need not be named; those of the reserved identities keep theirs. */
const keyOf = (text: string): string => text.replace(/^(?:k8s|any):/, '');
export const RESERVED = 'reserved:';

function termsOf(selector: Fields): Term[] {
  const equal = Object.entries(fieldsOf(selector['matchLabels'])).map(([key, value]): Term => ({
    ...{ key: keyOf(key), operator: 'in' },
    values: [textOf(value)],
  }));
  const others = listOf(selector['matchExpressions']).map((one): Term => {
    const { key, operator, values } = fieldsOf(one);
    return { key: keyOf(textOf(key)), operator: OPERATORS[textOf(operator)], values: textsOf(values) };
  });
  return [...equal, ...others];
}

const test =
  (terms: readonly Term[]): LabelTest =>
  (labels) =>
    terms.every(({ key, operator, values }) => matchesTerm(operator, key, values, labels));

/** The pods that a rule is about: those of its namespace alone, when it has one. */
export function subjectOf(selector: unknown, namespace: string): LabelTest {
  const terms = termsOf(fieldsOf(selector));
  if (namespace === '') return test(terms);
  const own = terms.filter(({ key }) => key !== POD_NAMESPACE);
  return test([...own, { key: POD_NAMESPACE, operator: 'in', values: [namespace] }]);
}

/**
 * Those that a rule allows: of its own namespace, unless it says something of namespaces; of any pod's, when the policy
 * has no namespace. Models pkg/k8s/apis/cilium.io/utils getEndpointSelector.
 */
export function peerOf(selector: unknown, namespace: string): LabelTest {
  const terms = termsOf(fieldsOf(selector));
  if (terms.some(({ key }) => key.startsWith(RESERVED) || key === POD_NAMESPACE)) return test(terms);
  if (namespace === '') return test([...terms, { key: POD_NAMESPACE, operator: 'exists', values: [] }]);
  if (terms.some(({ key }) => key.startsWith(NAMESPACE_LABELS))) return test(terms);
  return test([...terms, { key: POD_NAMESPACE, operator: 'in', values: [namespace] }]);
}

/** A selector of anything that has labels. */
export const plainTest = (selector: unknown): LabelTest => test(termsOf(fieldsOf(selector)));
