import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { InputFailure, RowFailure } from '../../../messages/explainedFailure';
import { Faults } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import type { Platform } from '../../../transport/service/endpoints';
import { contentOf } from '../../../values/reference';
import { contentIn } from '../../document/content';
import { parseEnote, type NewEnote } from '../../enote/form';
import { parsePlatform } from '../../shared/commonFields';
import { readEnote } from '../check/facts';
import type { Facts } from '../check/finding';
import type { NewTransaction } from '../created';
import { keyOf } from '../existing/find';
import { parseExistingOptions, type ExistingOptions, type Key } from '../existing/form';
import { parseClosing } from '../form/closing';
import { parseSendOptions } from '../form/sendOptions';
import { parseTransaction } from '../form/transaction';
import { checkRows } from '../row/checkRows';
import { isByHeading, rowName } from '../row/parseRow';
import { parseWait } from '../waitForDocuments';
import { planDocuments, type LeftOut, type PlannedDocument } from './documents';
import {
	asCreate,
	asEnote,
	differs,
	documentsNotInTheItem,
	parseNumbers,
	sendAgainIfRecalled,
	then,
	withoutRule,
	type IfItDiffers,
	type Then,
} from './form';

/** All that an item says, read and checked. */
export interface Item {
	platform: Platform;
	transaction: NewTransaction;
	/** By what it's found. */
	key: Key;
	options: ExistingOptions;
	documents: PlannedDocument[];
	leftOut: LeftOut;
	/** Why nothing can be sent with these files and rules, in sentences without a final period. */
	incomplete: string[];
	ifItDiffers: IfItDiffers;
	/** Documents stay that the item doesn't have. */
	leavesDocuments: boolean;
	/** What somebody has recalled is sent again. */
	sendsRecalled: boolean;
	/**
	 * The body of the request that adds the eNote, what a reference says of its content, and for the check
	 * the people whom it names.
	 */
	enote?: { body: NewEnote; content: string; names?: Facts['enote'] };
	then: Then;
	sendOptions: IDataObject;
	limitMs: number;
}

/**
 * Reads and checks all that an item says.
 * @throws InputFailure with everything that can't be used
 */
export async function parseItem(call: OperationCall): Promise<Item> {
	const { params } = call;
	const platform = parsePlatform(params);
	const parse = (one: OperationCall): NewTransaction =>
		asDraft(one, (platform === 'business' ? parseTransaction : parseClosing)(asCreate(one)));
	await checkRows(call, (one) => requireKey(one, parse(one), platform));
	const faults = new Faults();
	const collect = <T>(read: () => T) => faults.collect(read);
	const additional = params.object('additionalFields');
	const choiceOf = ({ name }: { name: string }, initial: string) =>
		collect(() => params.choice(name, additional[name] ?? '')) ?? initial;
	const transaction = collect(() => parse(call));
	const own = {
		platform,
		transaction,
		key: collect(() => requireKey(call, transaction, platform)),
		options: collect(() => parseExistingOptions(params, additional)),
		sendsRecalled:
			collect(() => params.toBoolean(sendAgainIfRecalled.name, additional.sendAgainIfRecalled)) ===
			true,
		then: collect(() => parseThen(call)) ?? 'draft',
		sendOptions: collect(() => parseSendOptions(params, platform)),
		limitMs: collect(() => parseWait(params)),
	};
	const ofEnote = platform === 'realEstate' ? asEnote(call) : undefined;
	const enote = ofEnote && (await parseOwnEnote(ofEnote, own.then, faults));
	const { documents, leftOut } = await planDocuments(call, transaction?.body, ofEnote, faults);
	const incomplete = incompleteBy(leftOut, choiceOf(withoutRule, 'stop') === 'stop');
	if (own.then === 'send' && incomplete.length > 0)
		faults.note(
			new InputFailure(
				params.label('documentRules'),
				`and the item's files don't fit: ${incomplete.join('. ')}`,
				"Nothing was sent. Add the file, correct the rule, or set its 'Needed' off or 'Files Without a Rule' to Leave Out",
			),
		);
	const ifItDiffers = choiceOf(differs, 'stop') as IfItDiffers;
	const leavesDocuments = choiceOf(documentsNotInTheItem, 'stop') === 'leave';
	faults.throwIfAny();
	return { ...own, enote, documents, leftOut, incomplete, ifItDiffers, leavesDocuments } as Item;
}

async function parseOwnEnote(
	call: OperationCall,
	end: Then,
	faults: Faults,
): Promise<Item['enote']> {
	const body = await faults.collectLater(async () => await parseEnote(call));
	if (body === undefined) return undefined;
	const isRead = call.params.raw('source') === 'binary' && end === 'check';
	return {
		body,
		content: await contentOfEnote(body),
		names: isRead ? await readEnote(call) : undefined,
	};
}

/** @throws InputFailure when an expression gives nothing: nobody knows then what is wanted */
function parseThen({ params }: OperationCall): Then {
	const chosen = params.choice(then.name);
	if (chosen !== undefined) return chosen as Then;
	throw new InputFailure(
		params.label(then.name),
		'is empty',
		'Choose from the list, or check what the expression returns for this item',
	);
}

/** Why nothing can be sent with the files that an item has. */
const incompleteBy = ({ pdfs, fitting, unmet }: LeftOut, stops: boolean): string[] => [
	...unmet,
	...(stops && pdfs.length > 0 ? [`No rule names ${pdfs.join(', ')}`] : []),
	...(stops && fitting.length > 0
		? [`A rule is for ${fitting.join(', ')}, and only PDFs become documents`]
		: []),
];

/** What a reference would say of the content of an eNote, or of what it's made from. */
const contentOfEnote = async ({ file, ...others }: NewEnote): Promise<string> =>
	file !== undefined && typeof file !== 'string'
		? await contentIn(file)
		: contentOf(
				createHash('sha256')
					.update(JSON.stringify([file, others]))
					.digest('hex'),
			);

/** @throws InputFailure when its PDFs would be split: nobody knows what their parts are called before */
function asDraft({ params }: OperationCall, transaction: NewTransaction): NewTransaction {
	const { body, platform } = transaction;
	const additional = params.object('additionalFields');
	// The form of a closing makes its name, too.
	const isNamedByNode =
		transaction.isNamedByNode === true ||
		(params.choice('fieldsFrom') === 'form' &&
			params.textOf(additional, 'transactionName') === undefined);
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

/** @throws InputFailure when the item has no number to be found by */
function requireKey(
	call: OperationCall,
	transaction: NewTransaction | undefined,
	platform: Platform,
): Key | undefined {
	const { params, itemIndex } = call;
	const numbers = parseNumbers(params, platform);
	const key = transaction && keyOf(transaction, numbers);
	if (key !== undefined || transaction === undefined) return key;
	const fault = new InputFailure(
		params.label(numbers[0]),
		'is empty',
		'Fill it in: by this number, the next run finds what this one has created',
	);
	throw isByHeading(params) ? new RowFailure(capital(rowName(call, itemIndex)), fault) : fault;
}

const capital = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
