import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { InputFailure, type Words } from '../../../messages/failures';
import { Faults } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { readOptionalFields } from '../../../run/parameters/optionalFields';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import type { Platform } from '../../../transport/service/endpoints';
import { asObjects } from '../../../values/json';
import { joinSentences } from '../../../values/words';
import { shortenDigest } from '../../../values/reference';
import { computeContent } from '../../document/content';
import { parseEnote, type NewEnote } from '../../enote/form';
import { parsePlatform } from '../../../form/commonFields';
import { readEnote } from '../check/facts';
import type { Facts } from '../check/findings';
import type { NewTransaction } from '../ifExists/creation';
import { claimNumber, nameFault } from '../ifExists/claims';
import { findNumberKey } from '../ifExists/lookup';
import { parseExistingOptions, type ExistingOptions, type NumberKey } from '../ifExists/options';
import { parseClosing } from '../create/closing';
import { parseSendOptions } from '../sendOptions';
import { parseTransaction } from '../create/business';
import { checkRows } from '../sheet/rowCheck';
import { isForm } from '../sheet/source';
import { parseWait } from '../documentWait';
import {
	planItemDocuments,
	type FilesLeftOut,
	type PlannedDocument,
	type SignersOfPlaces,
} from './itemDocuments';
import {
	ifItDiffersChoice,
	documentsNotInTheItem,
	sendAgainIfRecalled,
	thenChoice,
	filesWithoutRule,
	type IfItDiffers,
	type EndChoice,
} from './choices';
import { asCreateCall, asEnoteCall, parseNumberFields } from './form';

/** The papers that a transaction is to have, and how far it goes then. */
export interface PapersItem {
	platform: Platform;
	documents: PlannedDocument[];
	leftOut: FilesLeftOut;
	/** Files without a rule are left out on purpose. */
	leavesFilesOut: boolean;
	/** Why nothing can be sent with these files and rules, in sentences without a final period. */
	incomplete: string[];
	/** Documents stay that the item doesn't have. */
	leavesDocuments: boolean;
	/** What somebody has recalled is sent again. */
	sendsRecalled: boolean;
	/**
	 * The body of the request that adds the eNote, what a reference says of its content, and for the check
	 * the people whom it names.
	 */
	enote?: { body: NewEnote; content: string; names?: Facts['enote'] };
	then: EndChoice;
	sendOptions: IDataObject;
	limitMs: number;
}

/** All that an item says, read and checked. */
export interface ClosingItem extends PapersItem {
	transaction: NewTransaction;
	/** By what it's found. */
	key: NumberKey;
	options: ExistingOptions;
	ifItDiffers: IfItDiffers;
}

/**
 * Reads and checks all that an item says.
 * @throws InputFailure with everything that can't be used
 */
export async function parseClosingItem(call: OperationCall): Promise<ClosingItem> {
	const { params } = call;
	const platform = parsePlatform(params);
	const parseCreate = platform === 'business' ? parseTransaction : parseClosing;
	const parse = (itemCall: OperationCall) => toDraft(itemCall, parseCreate(asCreateCall(itemCall)));
	await checkRows(call, (rowCall) => claimRow(rowCall, parse(rowCall)));
	const faults = new Faults();
	const collect = <T>(reader: () => T) => faults.collect(reader);
	const additional = readOptionalFields(params);
	const readChoice = ({ name }: { name: string }, initial: string) =>
		collect(() => params.getChoice(name, additional[name] ?? '')) ?? initial;
	const transaction = collect(() => parse(call));
	const values = {
		platform,
		transaction,
		key: collect(() => requireKey(call, transaction, platform)),
		options: collect(() => parseExistingOptions(params, additional)),
		sendsRecalled:
			collect(() => params.toBoolean(sendAgainIfRecalled.name, additional.sendAgainIfRecalled)) ===
			true,
		then: collect(() => parseEndChoice(call)) ?? 'draft',
		sendOptions: collect(() => parseSendOptions(params, platform)),
		limitMs: collect(() => parseWait(params)),
	};
	const ofEnote = platform === 'realEstate' ? asEnoteCall(call) : undefined;
	const enote = ofEnote && (await parseItemEnote(ofEnote, values.then, faults));
	const signers = transaction === undefined ? {} : buildSigners(transaction);
	const { documents, leftOut } = await planItemDocuments(call, signers, ofEnote, faults);
	const leavesFilesOut = readChoice(filesWithoutRule, 'stop') === 'leaveOut';
	const reasons = describeIncomplete(leftOut, !leavesFilesOut);
	if (values.then === 'send' && reasons.length > 0)
		faults.note(buildIncompleteFault(call, reasons));
	const ifItDiffers = readChoice(ifItDiffersChoice, 'stop') as IfItDiffers;
	const leavesDocuments = readChoice(documentsNotInTheItem, 'stop') === 'leave';
	faults.throwIfAny();
	return {
		...values,
		enote,
		documents,
		...{ leftOut, leavesFilesOut, incomplete: reasons.map((words) => joinSentences(...words)) },
		ifItDiffers,
		leavesDocuments,
	} as ClosingItem;
}

/** Reads the eNote of an item. With Then at Check, the people whom it names, too. */
export async function parseItemEnote(
	call: OperationCall,
	end: EndChoice,
	faults: Faults,
): Promise<PapersItem['enote']> {
	const body = await faults.collectLater(async () => await parseEnote(call));
	if (body === undefined) return undefined;
	const isRead = call.params.getRaw('source') === 'binary' && end === 'check';
	return {
		body,
		content: await readEnoteContent(body),
		names: isRead ? await readEnote(call) : undefined,
	};
}

/**
 * How far an item goes.
 * @throws InputFailure when an expression gives nothing: nobody knows then what is wanted
 */
export function parseEndChoice({ params }: OperationCall, name = thenChoice.name): EndChoice {
	const goal = params.getChoice(name);
	if (goal !== undefined) return goal as EndChoice;
	throw params.createEmptyFailure([name], 'Choose from the list');
}

/** Why nothing can be sent with the files that an item has, each with what to do about it. */
export function describeIncomplete(
	{ pdfs, fitting, unmet }: FilesLeftOut,
	stops: boolean,
): Words[] {
	const leaveOut = `set '${filesWithoutRule.displayName}' to Leave Out`;
	const needed = "Add the file, correct the rule, or set its 'Needed' off";
	const reasons = unmet.map((text): Words => [text, needed]);
	if (stops && pdfs.length > 0)
		reasons.push([`No rule names ${pdfs.join(', ')}`, `Add a rule or ${leaveOut}`]);
	if (stops && fitting.length > 0)
		reasons.push([
			`A rule is for ${fitting.join(', ')}, and only PDFs become documents`,
			`Convert it to a PDF or ${leaveOut}`,
		]);
	return reasons;
}

/** @param isUnsentTold whether every fault of the item is told with what became of the transaction */
export const buildIncompleteFault = (
	{ params }: OperationCall,
	reasons: Words[],
	isUnsentTold = false,
): InputFailure =>
	new InputFailure(
		params.label('documentRules'),
		`and the item's files don't fit: ${reasons.map(([text]) => text).join('. ')}`,
		joinSentences(
			!isUnsentTold && 'Nothing was sent',
			...new Set(reasons.map(([, remedy]) => remedy)),
		),
	);

/** Whom places name: the signers as the transaction will be shown. */
function buildSigners({ body: { signers, signer }, roles }: NewTransaction): SignersOfPlaces {
	const all = signers === undefined ? [signer] : signers;
	const draft: TransactionAnswer = { id: '', status: 'draft', signers: asObjects(all) };
	return { retrieve: async () => await Promise.resolve(draft), roles };
}

/** What a reference would say of the content of an eNote, or of what it's made from. */
const readEnoteContent = async ({ file, ...fields }: NewEnote): Promise<string> =>
	file !== undefined && typeof file !== 'string'
		? await computeContent(file)
		: shortenDigest(
				createHash('sha256')
					.update(JSON.stringify([file, fields]))
					.digest('hex'),
			);

/** @throws InputFailure when its PDFs would be split: nobody knows what their parts are called before */
function toDraft({ params }: OperationCall, transaction: NewTransaction): NewTransaction {
	const { body, platform } = transaction;
	const additional = readOptionalFields(params);
	// The form of a closing makes its name, too.
	const isNamedByNode =
		transaction.isNamedByNode === true ||
		(isForm(params) && params.getTextIn(additional, 'transactionName') === undefined);
	if (String(body.pdf_bookmarked) === 'true')
		throw new InputFailure(
			params.label('additionalJson'),
			'has "pdf_bookmarked", and no rule can name the parts of a PDF before the service has split it',
			"Remove it here. Add such a PDF to the draft with 'Document: Add'. Then set what holds for each part with 'Document: Apply Rules', which waits for the split",
		);
	return platform === 'business'
		? { ...transaction, body: { ...body, draft: true } }
		: { ...transaction, isNamedByNode };
}

/** @throws InputFailure as requireKey() and claimNumber() */
const claimRow = (call: OperationCall, row: NewTransaction) =>
	claimNumber(call, row, requireKey(call, row, row.platform)!);

/** @throws InputFailure when the item has no number to be found by */
function requireKey(
	{ params }: OperationCall,
	transaction: NewTransaction | undefined,
	platform: Platform,
): NumberKey | undefined {
	const numbers = parseNumberFields(params, platform);
	const key = transaction && findNumberKey(transaction, numbers);
	if (key !== undefined || transaction === undefined) return key;
	const fault = params.createEmptyFailure(
		['additionalFields', numbers[0]],
		'Fill it in: by this number, the next run finds what this one has created',
	);
	throw nameFault(transaction, fault);
}
