import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Keep, Received } from '../../../transport/download';
import { safeFileName } from '../../../transport/files/fileNames';
import { generated } from '../../../transport/files/streams';

/* Files of a package that the node writes itself, as JSON. */

const JSON_TYPE = 'application/json';

/** The ending of their names. */
export const JSON_ENDING = '.json';

/** Writes a file. Its bytes depend on nothing but the value. */
export async function receiveJson<K>(
	value: IDataObject,
	keep: Keep<K>,
	name: string,
): Promise<Received<K>> {
	const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
	const fileName = safeFileName(name, JSON_ENDING);
	const kept = await keep(generated(undefined, [bytes]), fileName, JSON_TYPE);
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	return {
		kept,
		facts: { file_name: fileName, mime_type: JSON_TYPE, bytes: bytes.length, sha256 },
	};
}

const LINK = /^\s*https?:/i;

/** A copy without links: they are new in each answer, and lead nowhere some minutes later. */
export function withoutLinks(value: IDataObject): IDataObject {
	const text = JSON.stringify(value, (_name, field: unknown) =>
		typeof field === 'string' && LINK.test(field) ? undefined : field,
	);
	return JSON.parse(text) as IDataObject;
}
