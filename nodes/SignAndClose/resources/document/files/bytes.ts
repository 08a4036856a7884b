import { createHash } from 'crypto';
import { sleep, type IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import type { OperationCall } from '../../../run/operation';
import { asFailure, ServiceFailure } from '../../../transport/failure/failure';
import { uploads } from '../../../transport/files/byteBudget';
import { FileContent } from '../../../transport/files/requestBody';
import { readWhole } from '../../../transport/files/streams';
import { SERVICE_LIMITS } from '../../../transport/service/limits';
import { Budget, type Pause, type UnreadableReason } from '../../../pdf/bounds/limits';
import type { PageSize } from '../../../pdf/pages';
import { judgePdf } from './judgement';

/* Reads the file of a document to see its pages, before it's sent. */

/** What the request takes as a file: a URL, the name of a template, base64, or a file that is streamed. */
export type DocumentResource = string | FileContent;

/** A file takes its own bytes while it's read, and about as many for what is unpacked. */
const MEMORY_FACTOR = 2;

/** Why a page or a file can't be read, as a sentence about it goes on. */
export const UNREADABLE_REASONS: Record<UnreadableReason, string> = {
	notPdf: "isn't a PDF",
	locked: 'is locked with a password',
	encrypted: "is encrypted in a way that the node can't read",
	damaged: 'is damaged',
	unsupported: "has parts that the node can't read",
	unknownGlyphs: "has letters that only its fonts know, so that its text can't be read",
	limit: 'is too large to be read',
};

/**
 * Whether a place on a page is certain: nobody knows from which corner and in which units the service
 * counts. A page that's cropped at the right or the top keeps its corner.
 */
export const isUntransformed = ({ rotate, userUnit, boxes: { media, crop } }: PageSize): boolean =>
	rotate === 0 &&
	userUnit === 1 &&
	media.left === 0 &&
	media.bottom === 0 &&
	crop.left === 0 &&
	crop.bottom === 0;

/**
 * The file of a document, as far as it can be read: one at hand, or one behind a URL that a person
 * wants to be fetched.
 * @param resource what the request takes
 * @param fields of the document, which may have the header for its URL
 * @param fetches whether a URL is fetched
 * @returns undefined for a template, and for any other URL
 */
export function findReadable(
	{ service }: Pick<OperationCall, 'service'>,
	resource: DocumentResource | undefined,
	{ authorization_header: header }: IDataObject,
	fetches: boolean,
): FileContent | undefined {
	if (resource === undefined || typeof resource !== 'string') return resource;
	if (!fetches) return undefined;
	const [, name, value] = /^([^:]+):(.*)$/s.exec(String(header)) ?? [];
	const headers = name === undefined ? {} : { [name]: value };
	return new FileContent(
		SERVICE_LIMITS.megabytes * 1024 ** 2,
		async () => (await service.open(resource, headers)).stream,
	);
}

/** What reads a file: an item of a run, or a list of the editor. */
interface FileReader extends Pick<OperationCall, 'service'> {
	context: Pick<OperationCall['context'], 'getExecutionCancelSignal'>;
	params: Pick<OperationCall['params'], 'label'>;
}

/**
 * Reads a whole file, within the bytes that may be under way at once.
 * @param use reads what it needs of the bytes, which are gone afterwards
 * @throws InputFailure for a file that's larger than a service accepts; ServiceFailure when it can't
 *   be fetched; the reason of the signal when the execution is canceled
 */
export async function withFileBytes<T>(
	{ context, params, service }: FileReader,
	file: FileContent,
	use: (bytes: Uint8Array, pause: Pause) => Promise<T>,
): Promise<T> {
	const signal = context.getExecutionCancelSignal();
	const pause = async () => await sleep(0);
	const turn = new Budget(pause);
	const release = await uploads.take(
		file.bytes * MEMORY_FACTOR,
		service.limits.uploadBytes,
		signal,
	);
	try {
		const readFile = async () =>
			await readWhole(await file.open(), file.bytes, () => turn.pauseIfDue());
		const bytes = await readFile().catch((thrown: unknown) => {
			throw asFailure(thrown, new ServiceFailure({ code: 'incompleteFile', fileName: 'PDF' }));
		});
		if (bytes === undefined)
			throw new InputFailure(
				params.label('source'),
				`is a file of more than ${SERVICE_LIMITS.megabytes} MB`,
				'Split the file or reduce its size',
			);
		// A link isn't fetched twice.
		file.digest = createHash('sha256').update(bytes).digest('hex');
		const result = await use(bytes, pause);
		signal?.throwIfAborted();
		return result;
	} finally {
		release();
	}
}

/** Reads a file as withFileBytes(). One at hand was judged before, one behind a link is only now. */
export const readFile = async <T>(
	call: OperationCall,
	file: FileContent,
	use: (bytes: Uint8Array, pause: Pause) => Promise<T>,
): Promise<T> =>
	await withFileBytes(call, file, async (bytes, pause) => {
		const isLink = call.params.getChoice('source') === 'url';
		const [problem, remedy = ''] = (isLink && (await judgePdf(bytes, pause))) || [];
		if (problem === undefined) return await use(bytes, pause);
		throw new InputFailure(call.params.label('fileUrl'), `leads to a file that ${problem}`, remedy);
	});
