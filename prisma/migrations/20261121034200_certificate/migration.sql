-- CreateTable
CREATE TABLE "platform"."certificate" (
    "host" TEXT NOT NULL,
    "certificate" TEXT NOT NULL,
    "private_key" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "certificate_pkey" PRIMARY KEY ("host")
);
