import { InputFailure } from '../../../messages/failures';
import type { Pause } from '../../../pdf/bounds/limits';
import type { OperationCall } from '../../../run/operation';
import { FileContent } from '../../../transport/files/requestBody';
import { readBytes } from '../../../transport/files/streams';
import { withArticle } from '../../../values/words';
import { SERVICE_LIMITS } from '../../../transport/service/limits';
import { withFileBytes } from './bytes';
import { decodeXml, judgeEnote, judgePdf, judgeXml, type FileFault } from './judgement';

/* The kinds of files that the service takes, and what is checked of a file before it's sent. */

/** Readers of PDF accept the header anywhere in the first 1024 bytes. */
const HEAD_BYTES = 1024;

/** A kind of file, and how it is recognized. */
export interface UploadKind {
	noun: string;
	accepts: (head: Buffer) => boolean;
	remedy: string;
	/** Says what is wrong with a whole file that begins as it should. */
	judge: (bytes: Uint8Array, pause: Pause) => Promise<FileFault | undefined>;
	/** What to think of when choosing where the file comes from. */
	advice?: string;
	/** Who fetches it from a URL, as a sentence begins. */
	fetcher: string;
	/** Whether a template of the service can be used instead. */
	templates?: boolean;
	/** Whether all files of an item can be used, each for itself. */
	several?: boolean;
}

/** The only kind of file that documents can be (docs/service/documents.md#add-a-document). */
export const PDF: UploadKind = {
	noun: 'PDF',
	accepts: (head) => head.includes('%PDF-'),
	remedy: 'Convert the file to PDF first: the service accepts only PDF files',
	judge: judgePdf,
	fetcher: 'The service',
	templates: true,
};

/** The kind of file that an eNote is made from (docs/service/closings.md#enote). */
export const XML: UploadKind = {
	noun: 'XML file',
	accepts: (head) => /^\s*</.test(decodeXml(head)),
	remedy: 'Use the XML file of the eNote as your document system exports it',
	judge: async (bytes) => await Promise.resolve(judgeXml(decodeXml(bytes))),
	fetcher: 'The service',
	// Published is a limit of 5,000 characters, which few notes keep in base64.
	advice: '. Prefer a URL: the service may refuse the content of a long file.',
};

/** The kind of file that a complete eNote is. */
export const ENOTE: UploadKind = {
	...XML,
	judge: async (bytes) => await Promise.resolve(judgeEnote(decodeXml(bytes))),
};

/**
 * Checks size, kind and content of a file, before anything is sent.
 * @param fileName what a person calls it, unless the label does
 * @returns the file
 * @throws InputFailure when the service wouldn't take it
 */
export async function checkFile(
	call: OperationCall,
	file: FileContent,
	kind: UploadKind,
	label: string,
	fileName?: string,
): Promise<FileContent> {
	if (file.bytes === 0)
		throw new InputFailure(label, 'is an empty file', 'Check the node that outputs the file');
	const megabytes = file.bytes / 1024 / 1024;
	if (megabytes > SERVICE_LIMITS.megabytes)
		throw new InputFailure(
			label,
			`holds a file of ${megabytes.toFixed(1)} MB, more than the ${SERVICE_LIMITS.megabytes} MB that a service accepts at most`,
			'Split the file or reduce its size',
		);
	const [problem, remedy] = (await isOfKind(file, kind))
		? ((await withFileBytes(call, file, kind.judge)) ?? [])
		: [`isn't ${withArticle(kind.noun)}`, kind.remedy];
	if (problem === undefined || remedy === undefined) return file;
	const subject = fileName === undefined ? '' : `is '${fileName}', which `;
	throw new InputFailure(label, `${subject}${problem}`, remedy);
}

/** Whether a file begins as those of its kind do. */
export const isOfKind = async (file: FileContent, { accepts }: UploadKind): Promise<boolean> =>
	accepts(await readBytes(await file.open(), HEAD_BYTES));

/**
 * Reads a file from base64, with or without the head of a data URL.
 * @throws InputFailure when the text isn't base64
 */
export async function decodeFile(text: string, label: string): Promise<FileContent> {
	const prefix = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 250))?.[0] ?? '';
	const file = await FileContent.createFromBase64(text.slice(prefix.length));
	if (file !== undefined) return file;
	throw new InputFailure(
		label,
		"isn't base64",
		"Use 'File of the Item' or 'Link (URL)' when the content isn't encoded",
	);
}
