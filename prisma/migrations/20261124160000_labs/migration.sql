CREATE TABLE "platform"."lab" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "source" JSONB NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "cluster_revision" INTEGER NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "lab_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "platform"."lab_act" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" UUID NOT NULL,
    "lab" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "virtual" BIGINT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "step" TEXT NOT NULL DEFAULT '',
    "text" TEXT NOT NULL DEFAULT '',
    "done" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "lab_act_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "lab_tenant_id_name_key" ON "platform"."lab"("tenant_id", "name");
CREATE INDEX "lab_act_tenant_id_lab_kind_idx" ON "platform"."lab_act"("tenant_id", "lab", "kind");
CREATE INDEX "lab_act_tenant_id_cluster_id_id_idx" ON "platform"."lab_act"("tenant_id", "cluster_id", "id");
ALTER TABLE "platform"."lab" ADD CONSTRAINT "lab_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "platform"."tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "platform"."lab_act" ADD CONSTRAINT "lab_act_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "platform"."tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of a tenant, as docs/decisions/0014-row-level-security.md has it.
GRANT SELECT, INSERT, UPDATE, DELETE ON "platform"."lab", "platform"."lab_act" TO terrarium_tenant;
GRANT USAGE ON SEQUENCE "platform"."lab_act_id_seq" TO terrarium_tenant;
ALTER TABLE "platform"."lab" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "platform"."lab_act" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "own" ON "platform"."lab" TO terrarium_tenant USING ("tenant_id" = nullif(current_setting('terrarium.tenant', true), '')::uuid);
CREATE POLICY "own" ON "platform"."lab_act" TO terrarium_tenant USING ("tenant_id" = nullif(current_setting('terrarium.tenant', true), '')::uuid);
