import { randomBytes } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import type { KubeObject } from '@terrarium/engine';
import { nouns, Refusal } from '@terrarium/platform';
import { ClusterGuard } from '../../gate/cluster.guard.js';
import { CurrentRequest } from '../../gate/current-caller.js';
import type { RequestContext } from '../../gate/request-context.js';
import { KubeObjects } from '../../graphql/objects/kube-objects.js';

const API_VERSION = 'terrarium.dev/v1alpha1';
const KIND = 'Fault';
/** Of a name that nobody has chosen. */
const SUFFIX_BYTES = 4;

/** What goes wrong in a cluster: its objects of the kind Fault. */
@Controller('v1/clusters/:id/faults')
@UseGuards(ClusterGuard)
export class FaultsRoutes {
  constructor(private readonly kubeObjects: KubeObjects) {}

  @Get()
  @ApiOperation({ operationId: 'listFaults', summary: 'List the faults of a cluster' })
  @ApiOkResponse({ standardSchema: nouns.FaultList, description: 'All of them, by name.' })
  @ApiForbiddenResponse({ description: 'The cluster’s own rules do not let the caller ask.' })
  async list(@CurrentRequest() context: RequestContext, @Param('id') id: string): Promise<nouns.FaultList> {
    const { items } = await this.kubeObjects.list(context, where(id));
    return { items: items.map(faultOf) };
  }

  @Post()
  @ApiOperation({ operationId: 'createFault', summary: 'Let something go wrong in a cluster' })
  @ApiCreatedResponse({ standardSchema: nouns.Fault, description: 'It begins when its time comes.' })
  @ApiConflictResponse({ description: 'There is a fault of this name.' })
  @ApiUnprocessableEntityResponse({ description: 'The type, its target or its parameters are wrong.' })
  async create(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: nouns.NewFault }) { name: given, ...spec }: nouns.NewFault,
  ): Promise<nouns.Fault> {
    const name = given ?? `${spec.type.toLowerCase() || 'fault'}-${randomBytes(SUFFIX_BYTES).toString('hex')}`;
    if (await this.kubeObjects.get(context, where(id), name))
      throw new Refusal(409, `faults.terrarium.dev "${name}" already exists`);
    return this.apply(context, id, name, spec);
  }

  @Post(':name/end')
  @HttpCode(200)
  @ApiOperation({ operationId: 'endFault', summary: 'End a fault before its time' })
  @ApiOkResponse({ standardSchema: nouns.Fault, description: 'It ends as soon as the cluster has seen it.' })
  @ApiNotFoundResponse({ description: 'There is none of this name.' })
  async end(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Param('name') name: string,
  ): Promise<nouns.Fault> {
    const found = await this.kubeObjects.get(context, where(id), name);
    if (!found) throw new Refusal(404, `faults.terrarium.dev "${name}" not found`);
    return this.apply(context, id, name, { ...specOf(found), ended: true });
  }

  private async apply(context: RequestContext, id: string, name: string, spec: object): Promise<nouns.Fault> {
    const manifest = { apiVersion: API_VERSION, kind: KIND, metadata: { name }, spec };
    const [applied] = await this.kubeObjects.apply(context, id, manifest, undefined);
    return faultOf(applied!);
  }
}

const where = (clusterId: string) => ({ clusterId, apiVersion: API_VERSION, kind: KIND });

const specOf = (object: KubeObject): object => (object as { readonly spec?: object }).spec ?? {};

function faultOf(object: KubeObject): nouns.Fault {
  const { type = '' } = specOf(object) as { type?: string };
  const { status = {} } = object as { status?: Partial<nouns.Fault> };
  const { phase = 'Pending', startsAt, startTime, endsAt, endTime, targets = [], message } = status;
  return { name: object.metadata.name ?? '', type, phase, startsAt, startTime, endsAt, endTime, targets, message };
}
