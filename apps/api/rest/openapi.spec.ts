import 'reflect-metadata';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Body, Controller, Get, Module, Param, Post, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiOkResponse, ApiOperation, type OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { readSettings } from '@terrarium/platform';
import { z } from 'zod';
import { ApiModule } from '../api.module.js';
import { createOpenApiDocument, operationsOf } from './openapi.js';

const settings = readSettings({ DATABASE_URL: 'postgres://none', PUBLIC_URL: 'https://terrarium.example' });

/** The document of a module whose providers are never made. */
async function documentOf(module: Parameters<typeof NestFactory.create>[0]): Promise<OpenAPIObject> {
  const options = { logger: false, preview: true, abortOnError: false } as const;
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), options);
  return createOpenApiDocument(app, settings);
}

function moduleOf(...controllers: Type[]): Type {
  @Module({ controllers })
  class TestModule {}
  return TestModule;
}

/** What a reader of the document would miss. */
function gapsOf(document: OpenAPIObject): string[] {
  const ids = new Set<string>();
  return operationsOf(document).flatMap(({ method, path, operation }) => {
    const gaps: string[] = [];
    if (!operation.summary) gaps.push('a summary');
    if (!operation.operationId || /_|Routes/.test(operation.operationId) || ids.has(operation.operationId))
      gaps.push('an operationId of its own');
    ids.add(operation.operationId!);
    const successes = Object.entries(operation.responses).filter(([code]) => code.startsWith('2'));
    if (successes.length === 0) gaps.push('a success');
    for (const [code, response] of successes)
      if (code !== '204' && !(response && 'content' in response)) gaps.push(`the schema of its ${code}`);
    if (operation.requestBody && !/"\$ref"|"binary"/.test(JSON.stringify(operation.requestBody)))
      gaps.push('the schema of its body');
    return gaps.map((gap) => `${method} ${path}: ${gap}`);
  });
}

describe('the document of the API', () => {
  let document: OpenAPIObject;
  beforeAll(async () => void (document = await documentOf(ApiModule.with(settings, undefined))));

  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone<object>(document) as Record<string, unknown>)).toEqual({
      valid: true,
    });
    expect(validator.version).toBe('3.1');
    const broken = { ...document, paths: { '/v1/clusters': { get: { parameters: [{ in: 'query' }] } } } };
    expect((await validator.validate(broken)).valid).toBe(false);
  });

  test('says of every operation what it takes and what it answers', () => {
    expect(operationsOf(document).length).toBeGreaterThan(4);
    expect(gapsOf(document)).toEqual([]);
  });

  test('has only /v1, at the public URL', () => {
    expect(Object.keys(document.paths).filter((path) => !path.startsWith('/v1/'))).toEqual([]);
    expect(document.servers).toEqual([{ url: 'https://terrarium.example' }]);
  });

  test('adds the refusals that routes have in common', () => {
    const codes = (method: 'get', path: string): string =>
      Object.keys(document.paths[path]![method]!.responses).join(' ');
    expect(codes('get', '/v1/clusters')).toBe('200 400 401 403 429');
    expect(codes('get', '/v1/clusters/{id}')).toBe('200 401 403 404 429');
    expect(document.paths['/v1/clusters']!.post!.responses['403']).toMatchObject({
      description: expect.stringContaining('quota') as unknown as string,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
    });
  });

  test('refers only to schemas that it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((m) => m[1]!);
    expect(references).toEqual(expect.arrayContaining(['NewCluster', 'Cluster', 'ClusterList', 'Failure']));
    for (const name of references) expect(document.components!.schemas).toHaveProperty(name);
    expect(JSON.stringify(document)).not.toContain('$defs');
  });

  test('knows that what has a default need not be sent, and is always answered', () => {
    const required = (name: string): unknown =>
      (document.components!.schemas![name] as { required: string[] }).required;
    expect(required('NewCluster')).toEqual(['name']);
    expect(required('Cluster')).toEqual(expect.arrayContaining(['id', 'name', 'nodes', 'state']));
  });

  test('has the fields of a query as parameters', () => {
    const { parameters = [] } = document.paths['/v1/clusters']!.get!;
    expect(parameters.slice(0, 2)).toMatchObject([
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', default: 100, maximum: 500 } },
      { name: 'cursor', in: 'query', required: false, description: 'nextCursor of the page before.' },
    ]);
  });
});

describe('a route that says nothing about itself', () => {
  @Controller('v1/silent')
  class SilentRoutes {
    @Get(':id')
    get(@Param('id') id: string): string {
      return id;
    }
    @Post()
    post(@Body({ schema: z.object({ a: z.string() }) }) body: object): object {
      return body;
    }
  }
  test('is in the document, with its gaps', async () => {
    expect(gapsOf(await documentOf(moduleOf(SilentRoutes)))).toEqual([
      'get /v1/silent/{id}: a summary',
      'get /v1/silent/{id}: an operationId of its own',
      'get /v1/silent/{id}: the schema of its 200',
      'post /v1/silent: a summary',
      'post /v1/silent: an operationId of its own',
      'post /v1/silent: the schema of its 201',
      'post /v1/silent: the schema of its body',
    ]);
  });
});

test('one id cannot stand for two schemas', async () => {
  const noun = z.object({ a: z.string().default('') }).meta({ id: 'Noun' });
  @Controller('v1/nouns')
  class NounRoutes {
    @Post()
    @ApiOperation({ summary: 'x' })
    @ApiOkResponse({ standardSchema: noun })
    post(@Body({ schema: noun }) body: object): object {
      return body;
    }
  }
  await expect(documentOf(moduleOf(NounRoutes))).rejects.toThrow('the id Noun stands for two schemas');
});
