import { findFault } from './faults.mts';
import type { Fault } from './types.mts';

/**
 * A choice of faults, one for each way in which a client can go wrong: for tests that meet every
 * operation with every fault, where the whole table would take hours. Names without a variant
 * stand for all that there are.
 */
const NAMES = {
	network: [
		'refused-for-a-while',
		'reset-while-uploading',
		'reset-before-headers',
		'close-before-headers',
		'reset-after-headers',
		'close-within-body',
		'length-too-long',
		'length-too-short',
		'chunk-cut',
		'status-line-garbage',
		'close-after-answer',
	],
	http: [
		'status-400',
		'status-401',
		'status-403',
		'status-404',
		'status-408',
		'status-409',
		'status-413-while-uploading',
		'status-422',
		'status-429',
		'status-429-retry-by-date',
		'status-429-retry-in-10-years',
		'status-500',
		'status-502',
		'status-503',
		'status-503-retry-in-1-second',
		'status-504',
		'status-524',
		'gateway-403-html',
		'gateway-502-html',
		'status-500-empty',
		'status-999',
	],
	shape: [
		'body-empty',
		'body-null',
		'body-empty-text',
		'body-empty-list',
		'body-empty-object',
		'status-204',
		'status-202-accepted',
		'json-broken',
		'json-truncated',
		'html-page',
		'wrapped-data',
		'id-missing',
		'id-null',
		'id-number',
		'id-of-another',
		'status-missing',
		'lists-null',
		'everything-null',
		'numbers-as-text',
		'unknown-fields',
		'honest-with-201',
		'type-text',
		'key-proto',
		'nested-10000',
	],
	compression: ['gzip', 'br', 'gzip-but-plain', 'gzip-truncated', 'gzip-not-said'],
	encoding: [
		'bom',
		'utf-16-not-said',
		'latin-1-not-said',
		'utf-8-invalid',
		'base64-plus-escaped',
		'base64-url-letters',
		'base64-cut',
		'base64-null',
	],
	size: ['huge-text', 'huge-refusal', 'headers-5000', 'field-1-mb'],
	time: [
		'stalled-headers',
		'stalled-within-body',
		'continue-forever',
		'upgrade-101',
		'slow-answer',
	],
	redirect: [
		'301-to-itself',
		'302-elsewhere',
		'307-elsewhere',
		'302-file',
		'308-loop',
		'302-location-missing',
	],
	lists: [
		'list-empty',
		'entries-null',
		'entries-object-by-id',
		'entries-with-null',
		'entries-with-empty',
		'entries-oldest-first',
		'named-items',
		'total-too-small',
		'total-too-large',
		'first-page-for-ever',
		'pages-short',
	],
	errorFields: [
		'refusal-bare-text',
		'refusal-list-of-objects',
		'refusal-object-deep',
		'refusal-problem',
		'refusal-body-empty',
		'refusal-one-megabyte',
		'refusal-script',
		'refusal-echo-key-in-text',
		'refusal-echo-key-in-headers',
		'success-only-error',
		'success-only-success-false',
		'success-beside-errors',
		'success-beside-errors-empty',
	],
	binary: [
		'html-instead',
		'empty',
		'link-expired',
		'cut',
		'cut-by-close',
		'status-206',
		'type-octets',
	],
};

export const CORE_FAULTS: readonly Fault[] = Object.entries(NAMES).flatMap(([group, names]) =>
	names.flatMap((name) => {
		const found = ['before', 'after'].flatMap((when) => {
			const fault = findFault(`${group}:${name}/${when}`, true);
			return fault ? [fault] : [];
		});
		if (found.length === 0) throw new Error(`There is no fault ${group}:${name}`);
		return found;
	}),
);
