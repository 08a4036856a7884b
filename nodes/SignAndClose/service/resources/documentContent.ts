import { createHash } from 'crypto';
import { sleep } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import { findFailure } from '../errors/failure';
import { decodeData } from '../transport/base64Stream';
import { FileContent } from '../transport/streamedJson';
import type { ByteStream } from '../transport/streams';
import type { Place } from './documentGoals';

/*
 * Fingerprints of files. They tell whether the service took a new file for a document: no other
 * field of an answer does (docs/service/documents.md#update-a-document).
 */

/** Milliseconds between the attempts to read a file that the service still processes. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * Reads the file that the service has for a document, and returns its fingerprint. Real estate shows
 * it once it has processed the document (docs/service/documents.md#get-a-document), which is waited
 * for.
 * @param signal ends the wait when the execution is canceled
 * @returns undefined when the service doesn't show it
 */
export async function fingerprintAtService(
	service: ServiceClient,
	place: Place,
	signal?: AbortSignal,
): Promise<string | undefined> {
	for (const pause of [...PAUSES_MS, undefined]) {
		try {
			return await fingerprint(await openUploaded(service, place));
		} catch (thrown) {
			const isPending = findFailure(thrown)?.flags.httpStatus === 409;
			if (!isPending || pause === undefined) return undefined;
			await sleep(pause, signal);
		}
	}
	return undefined;
}

/**
 * Opens the file that was uploaded for a document (docs/service/documents.md#get-a-document).
 * @throws ServiceFailure 409 while real estate processes the document
 */
export async function openUploaded(
	service: ServiceClient,
	{ platform, ...path }: Place,
): Promise<ByteStream> {
	const query = { encoding: 'base64' };
	const { stream } = await service.stream('getDocument', { path, platform, query });
	return decodeData(stream);
}

/**
 * Returns the fingerprint of a file that is sent.
 * @param file base64, or a file that is streamed
 */
export async function fingerprintOf(file: string | FileContent): Promise<string> {
	return file instanceof FileContent
		? await fingerprint(await file.open())
		: createHash('sha256').update(Buffer.from(file, 'base64')).digest('hex');
}

async function fingerprint(stream: ByteStream): Promise<string> {
	const hash = createHash('sha256');
	for await (const chunk of stream) hash.update(chunk as Buffer);
	return hash.digest('hex');
}
