type Fields = Record<string, unknown>;

/** The object with each field changed; the same object when no field changes. `undefined` drops the field. */
export function mapFields(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  let out: Fields | undefined;
  for (const name of Object.keys(fields)) {
    const value = change(name, fields[name]);
    if (value === fields[name]) continue;
    out ??= { ...fields };
    if (value === undefined) delete out[name];
    else out[name] = value;
  }
  return out ?? fields;
}

/** The list with each item changed; the same list when no item changes. */
export function mapItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const out = items.map(change);
  return out.some((item, i) => item !== items[i]) ? out : items;
}
