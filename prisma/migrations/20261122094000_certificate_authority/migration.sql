-- CreateTable
CREATE TABLE "platform"."certificate_authority" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "private_key" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "certificate_authority_pkey" PRIMARY KEY ("id")
);

-- The key of the self-signed certificate of earlier releases becomes the authority's: kubeconfig files that carry that
-- certificate as their authority go on working.
INSERT INTO "platform"."certificate_authority" ("private_key")
SELECT "private_key" FROM "platform"."certificate" ORDER BY "created_at" LIMIT 1;

-- DropTable
DROP TABLE "platform"."certificate";
