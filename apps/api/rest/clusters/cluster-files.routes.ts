import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiGoneResponse,
  ApiOkResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
} from '@nestjs/swagger';
import { ClusterFiles, nouns, type Caller } from '@terrarium/platform';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../../gate/current-caller.js';

const GZIP = 'application/gzip';
const FILE = { type: 'string', format: 'binary' } as const;

/** Clusters as files. */
@Controller('v1/clusters')
export class ClusterFilesRoutes {
  constructor(private readonly files: ClusterFiles) {}

  @Get(':id/export')
  @ApiOperation({ operationId: 'exportCluster', summary: 'A cluster, or a moment of its past, as one file' })
  @ApiOkResponse({ description: 'The file.', content: { [GZIP]: { schema: FILE } } })
  @ApiGoneResponse({ description: 'The moment is no longer retained.' })
  async export(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: nouns.ExportQuery }) query: nouns.ExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.files.export(caller, id, query);
    await reply.type(GZIP).header('content-disposition', `attachment; filename="${id}.cluster.gz"`).send(file);
  }

  @Post('import')
  @ApiOperation({ operationId: 'importCluster', summary: 'Make a cluster of such a file' })
  @ApiConsumes(GZIP)
  @ApiBody({ schema: FILE })
  @ApiCreatedResponse({ standardSchema: nouns.Cluster, description: 'A cluster of its own, ready to use.' })
  @ApiForbiddenResponse({ description: 'A quota is used up, or the scope of the key does not suffice.' })
  @ApiPayloadTooLargeResponse({ description: 'The file, or what is in it, is too large.' })
  import(
    @CurrentCaller() caller: Caller,
    @Query({ schema: nouns.ImportQuery }) query: nouns.ImportQuery,
    @Body() file: unknown,
  ): Promise<nouns.Cluster> {
    return this.files.import(caller, file, query);
  }
}
