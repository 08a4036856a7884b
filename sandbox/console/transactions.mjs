// The card of a transaction: its signers, documents and files, and a button for each action.

import { LABELS, MAIN_ACTIONS, MORE_ACTIONS, NEXT_ACTIONS } from './actions.mjs';
import { element, inWords, plural, text } from './elements.mjs';
import { showPages } from './pages.mjs';
import { post } from './sandboxCalls.mjs';

/** Detailed statuses that say more than the status they belong to. */
const TELLING = new Set([
	'declined',
	'canceled',
	'on_hold',
	'held_for_review',
	'converted_to_wet_sign',
	'awaiting_payment',
]);
/** What the card's badge says. A draft has a status whose name, "started", says less. */
const badge = ({ status, detailed_status }) =>
	inWords(TELLING.has(detailed_status) || status === 'started' ? detailed_status : status);
/** Transactions whose "More actions and history" is open. */
const opened = new Set();
/** Why the last action of a transaction was refused; empty if it wasn't. */
export const refusals = new Map();

function tone({ status, detailed_status }) {
	if (['declined', 'canceled'].includes(detailed_status)) return 'bad';
	if (TELLING.has(detailed_status)) return 'warm';
	if (status === 'completed') return 'good';
	if (['completed_with_rejections', 'expired', 'canceled'].includes(status)) return 'bad';
	return status === 'started' ? 'grey' : status.startsWith('sent') ? '' : 'warm';
}

function actionButton(item, action, label, style) {
	const reason = item.why_not[action];
	return element('button', {
		className: style,
		textContent: label,
		disabled: reason !== null,
		title: reason ?? '',
		'data-key': `${item.id}/${action}`,
		onclick: () =>
			post(`/sandbox/transactions/${item.id}/${action}`, undefined, (words) =>
				refusals.set(item.id, words),
			),
	});
}

function signerRow(signer) {
	const checks = [
		signer.checks.selfie && 'selfie',
		signer.checks.knowledge && 'questions',
		signer.checks.sms && 'SMS',
	].filter(Boolean);
	const problem = signer.at_referee
		? 'with the trusted referee'
		: signer.selfie_failures > 0 && signer.signing_status !== 'complete'
			? `selfie failed ${plural(signer.selfie_failures, 'time')}`
			: '';
	return element(
		'li',
		{},
		text('span', 'mark', signer.signing_status === 'complete' ? '✓' : '○'),
		text('span', '', signer.name),
		text('span', 'note', signer.name === signer.email ? '' : signer.email),
		problem && text('span', 'bad-text', problem),
		text(
			'span',
			'right',
			[
				checks.length
					? `checks: ${checks.join(', ')}${signer.checks.level ? ` (${signer.checks.level})` : ''}`
					: '',
				inWords(signer.signing_status ?? 'not sent yet'),
			]
				.filter(Boolean)
				.join(' · '),
		),
	);
}

function documentRow(item, doc) {
	const facts = [
		doc.is_enote ? 'eNote' : inWords(doc.requirement),
		plural(doc.pages, 'page'),
		doc.designations ? `${plural(doc.designations, 'place')} to sign` : '',
		doc.state === 'pending' ? 'processing' : '',
	];
	return element(
		'li',
		{},
		text('span', 'mark', '▤'),
		doc.link
			? element('a', { href: doc.link, textContent: doc.name, target: '_blank', rel: 'noreferrer' })
			: text('span', '', doc.name),
		doc.processing_error && text('span', 'bad-text', doc.processing_error),
		doc.rejection_reason && text('span', 'bad-text', doc.rejection_reason),
		text('span', 'right', facts.filter(Boolean).join(' · ')),
		doc.pages > 0 &&
			element('button', {
				className: 'quiet',
				textContent: 'Where to sign',
				'aria-label': `Where to sign: ${doc.name}`,
				'data-key': `${doc.id}/pages`,
				onclick: () => showPages(item.id, doc.id),
			}),
	);
}

function assets(item) {
	if (!item.video && item.pictures.length === 0) return null;
	return element(
		'div',
		{ className: 'assets' },
		item.video &&
			element(
				'figure',
				{},
				element('video', {
					src: item.video,
					controls: true,
					preload: 'metadata',
					muted: true,
					'aria-label': 'Recording of the meeting',
				}),
				text('figcaption', '', 'Recording'),
			),
		...item.pictures.map(({ kind, link }) =>
			element(
				'figure',
				{},
				element(
					'a',
					{ href: link, target: '_blank', rel: 'noreferrer' },
					element('img', { src: link, alt: `Identity picture: ${inWords(kind)}` }),
				),
				text('figcaption', '', inWords(kind)),
			),
		),
	);
}

function moreActions(item) {
	const groups = Object.entries(MORE_ACTIONS).map(([who, actions]) => [
		who,
		Object.entries(actions).filter(
			([action]) => item.why_not[action] === null && !nextActions(item).includes(action),
		),
	]);
	const possible = groups.filter(([, actions]) => actions.length > 0);
	const details = element(
		'details',
		{ open: opened.has(item.id) },
		element('summary', { textContent: 'More actions and history', 'data-key': `${item.id}/more` }),
		element(
			'div',
			{ className: 'groups' },
			...(possible.length
				? possible.map(([who, actions]) => actionGroup(item, who, actions))
				: [text('span', 'note', 'No more actions are possible')]),
		),
		element(
			'ol',
			{ className: 'story' },
			...item.audit_log.map((line) =>
				text('li', '', `${line.slice(0, 19).replace('T', ' ')}${line.slice(27)}`),
			),
		),
	);
	details.ontoggle = () => opened[details.open ? 'add' : 'delete'](item.id);
	return details;
}

function actionGroup(item, who, actions) {
	return element(
		'div',
		{ className: 'group', role: 'group', 'aria-label': who },
		text('span', 'who', who),
		element(
			'div',
			{ className: 'buttons' },
			...actions.map(([action, label]) => actionButton(item, action, label, 'quiet')),
		),
	);
}

const nextActions = (item) => NEXT_ACTIONS.filter((action) => item.why_not[action] === null);

export function transactionCard(item) {
	const reasons = [...new Set(MAIN_ACTIONS.map((action) => item.why_not[action]).filter(Boolean))];
	const kind = [
		item.platform === 'realEstate' ? 'Closing' : 'Business',
		item.type && inWords(item.type),
		item.organization,
	]
		.filter(Boolean)
		.join(' · ');
	const path = item.history
		.map(({ detailed_status }) => detailed_status)
		.filter((entry, index, all) => entry !== all[index - 1]);
	return element(
		'article',
		{ className: 'card' },
		element(
			'div',
			{ className: 'top' },
			text('h3', '', item.name),
			text('span', 'kind', kind),
			text('span', `chip ${tone(item)}`, badge(item)),
		),
		text('div', 'id', [item.id, ...item.numbers, item.address].filter(Boolean).join(' · ')),
		element(
			'ol',
			{ className: 'path', 'aria-label': 'Statuses so far' },
			...path.map((entry) => text('li', '', inWords(entry))),
		),
		element(
			'ul',
			{ className: 'rows' },
			...item.signers.map(signerRow),
			...item.documents.map((doc) => documentRow(item, doc)),
			item.splitting > 0 &&
				element(
					'li',
					{},
					text('span', 'mark', '⋯'),
					text('span', 'note', 'Splitting a bookmarked PDF. This takes about five minutes.'),
				),
			item.audit_trail &&
				element(
					'li',
					{},
					text('span', 'mark', '▤'),
					element('a', {
						href: item.audit_trail,
						textContent: 'Audit trail',
						target: '_blank',
						rel: 'noreferrer',
					}),
					item.record && text('span', 'right', `record ${item.record}`),
				),
		),
		assets(item),
		element(
			'div',
			{ className: 'buttons' },
			...nextActions(item).map((action) => actionButton(item, action, LABELS[action], '')),
			...MAIN_ACTIONS.map((action) =>
				actionButton(item, action, LABELS[action], action === 'reject' ? 'danger' : ''),
			),
		),
		reasons.length > 0 && text('p', 'note reasons', `${reasons.join('. ')}.`),
		refusals.get(item.id) &&
			element('p', { role: 'alert', className: 'refusal', textContent: refusals.get(item.id) }),
		moreActions(item),
	);
}
