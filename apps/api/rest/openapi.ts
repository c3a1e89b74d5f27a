import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { nouns, type Settings } from '@terrarium/platform';
import { z } from 'zod';

type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
type SchemaObject = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const PREFIX = '/v1/';
const FAILURE = { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } };

/**
 * OpenAPI 3.1 of /v1: from the routes' decorators, and from the schemas that also validate what they take
 * (`@Body({ schema })`, `@Query({ schema })`) and describe what they answer (`@ApiOkResponse({ standardSchema })`).
 */
export function createOpenApiDocument(
  app: INestApplication,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Terrarium')
    .setDescription('A simulated Kubernetes cluster for every user.')
    .setVersion('v1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(publicUrl)
    .addSecurity('key', { type: 'http', scheme: 'bearer' })
    .addSecurityRequirements('key')
    .build();
  const register = refuseDifferentComponents();
  const document = SwaggerModule.createDocument(app, config, {
    standardSchemaConverter: (schema, { schemaType }) => register(toComponents(schema as z.ZodType, schemaType)),
    autoTagControllers: false,
  });
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith(PREFIX)));
  document.components!.schemas!['Failure'] = toComponents(nouns.Failure, 'output').components['Failure']!;
  for (const { path, operation } of operationsOf(document)) addCommonRefusals(path, operation);
  return document;
}

/** Every operation of the document, with its path and its method in lower case. */
export const operationsOf = ({
  paths,
}: Pick<OpenAPIObject, 'paths'>): { path: string; method: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  );

interface ConvertedSchema {
  readonly schema: object;
  readonly components: Record<string, SchemaObject>;
}

/** Throws when one id stands for two schemas: of two nouns, or of one that is not the same taken and answered. */
function refuseDifferentComponents(): (converted: ConvertedSchema) => ConvertedSchema {
  const texts = new Map<string, string>();
  return (converted) => {
    for (const [id, component] of Object.entries(converted.components)) {
      const text = JSON.stringify(component);
      if ((texts.get(id) ?? text) !== text) throw new Error(`the id ${id} stands for two schemas`);
      texts.set(id, text);
    }
    return converted;
  };
}

/** A schema that has an id is a component of the document, which others refer to. */
function toComponents(schema: z.ZodType, io: 'input' | 'output'): ConvertedSchema {
  const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io });
  return { schema: own, components: $defs as Record<string, SchemaObject> };
}

/** Fills in what every operation may answer, and the body of every refusal. */
function addCommonRefusals(path: string, { parameters = [], requestBody, responses }: Operation): void {
  const takesInput =
    requestBody !== undefined || parameters.some((parameter) => 'in' in parameter && parameter.in === 'query');
  const refusals: Record<string, string> = {
    ...(takesInput ? { 400: 'The request does not fit the schema.' } : {}),
    401: 'No valid key.',
    403: 'The key does not allow this.',
    ...(path.includes('{') ? { 404: 'There is none of this name, or it is not yours.' } : {}),
    429: 'Too many requests: try again after Retry-After seconds.',
  };
  for (const [code, description] of Object.entries(refusals)) responses[code] ??= { description };
  for (const [code, response] of Object.entries(responses))
    if (code >= '400' && response && 'description' in response) response.content = FAILURE;
}
