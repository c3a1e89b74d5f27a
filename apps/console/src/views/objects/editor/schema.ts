/** A schema of OpenAPI v3, as far as it is read here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly format?: string;
  readonly default?: unknown;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

/** /openapi/v3/api/v1, or of a group and version. */
export interface OpenApi {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const REF = '#/components/schemas/';
const MAX_REFS = 20;

/** The schemas of one group and version. */
export class Schemas {
  constructor(private readonly document: OpenApi) {}

  /** The schema of a kind. */
  kind(apiVersion: string, kind: string): Schema | undefined {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    return Object.values(this.document.components?.schemas ?? {}).find((schema) =>
      schema['x-kubernetes-group-version-kind']?.some(
        (k) => k.group === group && k.version === version && k.kind === kind,
      ),
    );
  }

  /** A schema with its references followed; what a reference is described as here comes before its own words. */
  resolve(schema: Schema): Schema {
    let found = schema;
    for (let i = 0; i < MAX_REFS; i++) {
      const ref = found.$ref ?? (found.allOf?.length === 1 ? found.allOf[0]!.$ref : undefined);
      if (!ref?.startsWith(REF)) return found;
      const target = this.document.components?.schemas?.[ref.slice(REF.length)];
      if (!target) return found;
      found = { ...target, description: schema.description ?? target.description, default: schema.default };
    }
    return found;
  }

  /** The schema of a field below another one; lists are gone into. */
  field(schema: Schema, path: readonly string[]): Schema | undefined {
    let current: Schema | undefined = this.mapping(schema);
    for (const key of path) {
      current = current && this.child(current, key);
      if (!current) return undefined;
      current = this.mapping(current);
    }
    return current;
  }

  /** The schema of one key of a mapping; undefined when it is not known. */
  child(schema: Schema, key: string): Schema | undefined {
    const { properties, additionalProperties } = this.resolve(schema);
    const found = Object.hasOwn(properties ?? {}, key) ? properties![key] : undefined;
    if (found) return this.resolve(found);
    return typeof additionalProperties === 'object' ? this.resolve(additionalProperties) : undefined;
  }

  /** Whether any key may stand in a mapping. */
  isOpen(schema: Schema): boolean {
    const {
      properties,
      additionalProperties,
      'x-kubernetes-preserve-unknown-fields': keeps,
      type,
    } = this.resolve(schema);
    return (
      Boolean(keeps) || Boolean(additionalProperties) || (!properties && (type === 'object' || type === undefined))
    );
  }

  /** Of a list its items, as deep as they go. */
  mapping(schema: Schema): Schema {
    let current = this.resolve(schema);
    for (let i = 0; i < MAX_REFS && current.items; i++) current = this.resolve(current.items);
    return current;
  }

  /** 'string', '[]Container', 'map[string]string', 'integer or string'. */
  typeName(schema: Schema): string {
    const { type, items, additionalProperties, enum: values, format, ...rest } = this.resolve(schema);
    if (rest['x-kubernetes-int-or-string'] || format === 'int-or-string') return 'integer or string';
    if (items) return `[]${this.typeName(items)}`;
    if (typeof additionalProperties === 'object') return `map[string]${this.typeName(additionalProperties)}`;
    if (values) return 'enum';
    return type ?? 'object';
  }
}

/** The path of the document that has an apiVersion. */
export const openApiPath = (apiVersion: string): string =>
  apiVersion.includes('/') ? `/openapi/v3/apis/${apiVersion}` : `/openapi/v3/api/${apiVersion}`;
