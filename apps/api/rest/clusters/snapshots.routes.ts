import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiGoneResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { nouns, Restores, Snapshots, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

/** States of a cluster that are kept under a name, and the way back to them. */
@Controller('v1/clusters/:id')
export class SnapshotsRoutes {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly restores: Restores,
  ) {}

  @Post('snapshots')
  @ApiOperation({ operationId: 'createSnapshot', summary: 'Keep the present state, or one of the past, under a name' })
  @ApiCreatedResponse({ standardSchema: nouns.Snapshot, description: 'Kept until it is deleted, or its cluster is.' })
  @ApiConflictResponse({ description: 'There is a snapshot of this name.' })
  @ApiForbiddenResponse({ description: 'There are too many, or the scope of the key does not suffice.' })
  @ApiGoneResponse({ description: 'The moment is no longer retained.' })
  create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: nouns.NewSnapshot }) snapshot: nouns.NewSnapshot,
  ): Promise<nouns.Snapshot> {
    return this.snapshots.create(caller, id, snapshot);
  }

  @Get('snapshots')
  @ApiOperation({ operationId: 'listSnapshots', summary: 'List the snapshots of a cluster' })
  @ApiOkResponse({ standardSchema: nouns.SnapshotList, description: 'All of them, by name.' })
  list(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<nouns.SnapshotList> {
    return this.snapshots.list(caller, id);
  }

  @Delete('snapshots/:name')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteSnapshot', summary: 'Delete a snapshot' })
  @ApiNoContentResponse({ description: 'There is none of this name any more.' })
  delete(@CurrentCaller() caller: Caller, @Param('id') id: string, @Param('name') name: string): Promise<void> {
    return this.snapshots.delete(caller, id, name);
  }

  @Post('restore')
  @HttpCode(200)
  @ApiOperation({ operationId: 'restoreCluster', summary: 'Put a cluster back to a snapshot, or to its template' })
  @ApiOkResponse({ standardSchema: nouns.Cluster, description: 'The same cluster, which goes on from that state.' })
  @ApiConflictResponse({ description: 'It no longer has a template, or others write to it all the time.' })
  restore(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: nouns.Restore }) restore: nouns.Restore,
  ): Promise<nouns.Cluster> {
    return this.restores.restore(caller, id, restore);
  }
}
