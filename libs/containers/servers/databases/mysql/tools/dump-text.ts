/** What of a table a dump has. */
export type DumpStyle = { withData: boolean; withCreate: boolean; withDrop: boolean; withDatabase: boolean };

export interface DumpedTable {
  readonly name: string;
  /** SHOW CREATE TABLE. */
  readonly create: string;
  readonly rows: readonly (string | null)[][];
  /** By column: its values stand without quotes. */
  readonly isNumeric: readonly boolean[];
}

export const headText = (host: string, database: string, version: string): string =>
  `-- MySQL dump 10.13  Distrib ${version}, for Linux (x86_64)
--
-- Host: ${host}    Database: ${database}
-- ------------------------------------------------------
-- Server version\t${version}

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!50503 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;

`;

export const databaseText = (name: string): string =>
  `--
-- Current Database: \`${name}\`
--

CREATE DATABASE /*!32312 IF NOT EXISTS*/ \`${name}\` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci */ /*!80016 DEFAULT ENCRYPTION='N' */;

USE \`${name}\`;

`;

export function tableText(table: DumpedTable, style: DumpStyle): string {
  const name = `\`${table.name}\``;
  const drop = style.withDrop ? `DROP TABLE IF EXISTS ${name};\n` : '';
  const structure = `--
-- Table structure for table ${name}
--

${drop}/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
${table.create};
/*!40101 SET character_set_client = @saved_cs_client */;

`;
  const values = table.rows.map(
    (row) => `(${row.map((value, i) => valueText(value, table.isNumeric[i] ?? false)).join(',')})`,
  );
  const insert = values.length === 0 ? '' : `INSERT INTO ${name} VALUES ${values.join(',')};\n`;
  const data = `--
-- Dumping data for table ${name}
--

LOCK TABLES ${name} WRITE;
/*!40000 ALTER TABLE ${name} DISABLE KEYS */;
${insert}/*!40000 ALTER TABLE ${name} ENABLE KEYS */;
UNLOCK TABLES;

`;
  return (style.withCreate ? structure : '') + (style.withData ? data : '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
};

function valueText(value: string | null, isNumeric: boolean): string {
  if (value === null) return 'NULL';
  return isNumeric ? value : `'${value.replace(/[\\'"\n\r\0]/g, (sign) => ESCAPES[sign]!)}'`;
}

/** `-- Dump completed on 2026-11-24  4:05:06`. */
export function endText(now: number): string {
  const iso = new Date(now).toISOString();
  const time = iso.slice(11, 19).replace(/^0/, ' ');
  return `/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on ${iso.slice(0, 10)} ${time}
`;
}
