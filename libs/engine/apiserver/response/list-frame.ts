/** What is around the texts of a list's items, so that a list of many megabytes is never one text. */
export interface ListFrame {
  readonly head: string;
  readonly between: string;
  readonly tail: string;
  /** The whole list when it has no items. */
  readonly empty: string;
  /** An item as it stands in the list, of its JSON. */
  item(text: string): string;
}

/** `members`: JSON of the list without its items. `key`: 'items', 'rows'. */
export function listFrame(members: string, key: string, isPretty: boolean): ListFrame {
  if (isPretty) return prettyFrame(members, key);
  const head = `${members.slice(0, -1)},"${key}":[`;
  return { head, between: ',', tail: ']}\n', empty: `${head}]}\n`, item: (text) => text };
}

/** As JSON.stringify with two spaces prints the whole: an item stands two levels deep. */
function prettyFrame(members: string, key: string): ListFrame {
  const head = `${indent(members).slice(0, -2)},\n  "${key}": [`;
  return {
    head: `${head}\n    `,
    between: ',\n    ',
    tail: '\n  ]\n}\n',
    empty: `${head}]\n}\n`,
    // Strings of JSON have no line ends of their own.
    item: (text) => indent(text).replaceAll('\n', '\n    '),
  };
}

const indent = (text: string): string => JSON.stringify(JSON.parse(text), null, 2);
