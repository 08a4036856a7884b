// The console: asks the sandbox for its state every second and shows it; each button is one call
// below /sandbox.

const MAIN_STEPS = [
	['sign', 'Signer signs', ''],
	['notarize', 'Notary completes', ''],
	['reject', 'Reject', 'danger'],
];
/** Stand beside them only when they are what comes next. */
const NEXT_STEPS = ['sendToSigner', 'signOnPaper', 'passReferee', 'review', 'resume', 'pay'];
const MORE_STEPS = {
	Signer: {
		openEmail: 'Opens the e-mail',
		failSelfie: 'Fails the selfie',
		failKnowledge: 'Fails the questions',
		passReferee: 'Trusted referee confirms',
		failIdentity: 'Identity not confirmed',
		detectMediumRisk: 'Medium risk detected',
		detectHighRisk: 'High risk detected',
		signOnPaper: 'Signs on paper',
		pay: 'Pays',
		decline: 'Declines',
	},
	Notary: { failMeeting: 'Meeting fails' },
	'Closing team': {
		importDocument: 'Imports a document',
		failImport: 'Import fails',
		reportNoUnderwriter: 'Underwriter not available',
		prepareForReview: 'Prepares for review',
		sendToTitleAgency: 'Sends to title agency',
		sendToSigner: 'Closing team sends to signer',
		convertToPaper: 'Converts to paper',
	},
	Service: {
		holdForReview: 'Holds for review',
		review: 'Reviews',
		putOnHold: 'Puts on hold',
		resume: 'Resumes',
		cancel: 'Cancels',
		recall: 'Recalls',
		expire: 'Lets it expire',
	},
};
/** As they read beside the main buttons, without the heading of their group. */
const NEXT_LABELS = {
	signOnPaper: 'Signer signs on paper',
	review: 'Review done',
	resume: 'Take off hold',
	pay: 'Signer pays',
};
const LABELS = Object.assign({}, ...Object.values(MORE_STEPS), NEXT_LABELS);
/** Say more than the status they stand beside. */
const TELLING = new Set([
	'declined',
	'on_hold',
	'held_for_review',
	'converted_to_wet_sign',
	'awaiting_payment',
]);
const VERDICTS = {
	compliant: 'Compliant',
	needs_review: 'Needs review',
	non_compliant: 'Not compliant',
};
const REFRESH_MS = 1000;

const $ = (id) => document.getElementById(id);
const shown = new Map();
const opened = new Set();
let state;

function el(tag, props = {}, ...children) {
	const node = Object.assign(document.createElement(tag), props);
	for (const [name, value] of Object.entries(props))
		if (name.includes('-')) node.setAttribute(name, value);
	node.append(
		...children.filter((child) => child !== null && child !== undefined && child !== false),
	);
	return node;
}
const text = (tag, className, textContent) => el(tag, { className, textContent });
const inWords = (name) => name.replaceAll('_', ' ');
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
/** Links are signed anew each time; that alone is no change. */
const stable = (value) => JSON.stringify(value).replace(/(expires|nonce|signature)=[^"&]*/g, '');

function tone({ status, detailed_status }) {
	if (detailed_status === 'declined') return 'bad';
	if (TELLING.has(detailed_status)) return 'warm';
	if (status === 'completed') return 'good';
	if (status === 'completed_with_rejections' || status === 'expired') return 'bad';
	return status === 'started' ? 'grey' : status.startsWith('sent') ? '' : 'warm';
}

async function call(path, body) {
	try {
		const answer = await fetch(path, {
			method: 'POST',
			headers: body ? { 'Content-Type': 'application/json' } : {},
			body: body && JSON.stringify(body),
		});
		const data = await answer.json();
		$('message').textContent = answer.ok
			? ''
			: (data.message ?? `The sandbox answered ${answer.status}`);
	} catch {
		$('message').textContent = 'The sandbox does not answer';
	}
	await refresh();
}

function stepButton(item, [step, label, style = 'quiet']) {
	const reason = item.why_not[step];
	return el('button', {
		className: style,
		textContent: label,
		disabled: reason !== null,
		title: reason ?? '',
		'data-key': `${item.id}/${step}`,
		onclick: () => call(`/sandbox/transactions/${item.id}/${step}`),
	});
}

function signerRow(signer) {
	const checks = [
		signer.checks.selfie && 'selfie',
		signer.checks.knowledge && 'questions',
		signer.checks.sms && 'SMS',
	].filter(Boolean);
	const trouble = signer.at_referee
		? 'with the trusted referee'
		: signer.selfie_failures > 0 && signer.signing_status !== 'complete'
			? `selfie failed ${plural(signer.selfie_failures, 'time')}`
			: '';
	return el(
		'li',
		{},
		text('span', 'mark', signer.signing_status === 'complete' ? '✓' : '○'),
		text('span', '', signer.name),
		text('span', 'note', signer.name === signer.email ? '' : signer.email),
		trouble && text('span', 'bad-text', trouble),
		text(
			'span',
			'right',
			[
				checks.length
					? `checks: ${checks.join(', ')}${signer.checks.level ? ` (${signer.checks.level})` : ''}`
					: '',
				inWords(signer.signing_status ?? 'not asked yet'),
			]
				.filter(Boolean)
				.join(' · '),
		),
	);
}

function documentRow(doc) {
	const facts = [
		doc.is_enote ? 'eNote' : inWords(doc.requirement),
		plural(doc.pages, 'page'),
		doc.designations ? plural(doc.designations, 'designation') : '',
		doc.state === 'pending' ? 'processing' : '',
	];
	return el(
		'li',
		{},
		text('span', 'mark', '▤'),
		doc.link
			? el('a', { href: doc.link, textContent: doc.name, target: '_blank', rel: 'noreferrer' })
			: text('span', '', doc.name),
		doc.rejection_reason && text('span', 'bad-text', doc.rejection_reason),
		text('span', 'right', facts.filter(Boolean).join(' · ')),
	);
}

function assets(item) {
	if (!item.video && item.pictures.length === 0) return null;
	return el(
		'div',
		{ className: 'assets' },
		item.video &&
			el(
				'figure',
				{},
				el('video', {
					src: item.video,
					controls: true,
					preload: 'metadata',
					muted: true,
					'aria-label': 'Recording of the meeting',
				}),
				text('figcaption', '', 'Recording'),
			),
		...item.pictures.map(({ kind, link }) =>
			el(
				'figure',
				{},
				el(
					'a',
					{ href: link, target: '_blank', rel: 'noreferrer' },
					el('img', { src: link, alt: `Identity picture: ${inWords(kind)}` }),
				),
				text('figcaption', '', inWords(kind)),
			),
		),
	);
}

function more(item) {
	const groups = Object.entries(MORE_STEPS).map(([who, steps]) => [
		who,
		Object.entries(steps).filter(
			([step]) => item.why_not[step] === null && !offered(item).includes(step),
		),
	]);
	const possible = groups.filter(([, steps]) => steps.length > 0);
	const details = el(
		'details',
		{ open: opened.has(item.id) },
		el('summary', { textContent: 'More actions and history', 'data-key': `${item.id}/more` }),
		el(
			'div',
			{ className: 'groups' },
			...(possible.length
				? possible.map(([who, steps]) => group(item, who, steps))
				: [text('span', 'note', 'Nothing more can be done')]),
		),
		el(
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

function group(item, who, steps) {
	return el(
		'div',
		{ className: 'group', role: 'group', 'aria-label': who },
		text('span', 'who', who),
		el('div', { className: 'buttons' }, ...steps.map((step) => stepButton(item, step))),
	);
}

const offered = (item) => NEXT_STEPS.filter((step) => item.why_not[step] === null);

function card(item) {
	const reasons = [...new Set(MAIN_STEPS.map(([step]) => item.why_not[step]).filter(Boolean))];
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
	return el(
		'article',
		{ className: 'card' },
		el(
			'div',
			{ className: 'top' },
			text('h3', '', item.name),
			text('span', 'kind', kind),
			text(
				'span',
				`chip ${tone(item)}`,
				inWords(TELLING.has(item.detailed_status) ? item.detailed_status : item.status),
			),
		),
		text('div', 'id', item.id),
		el(
			'ol',
			{ className: 'path', 'aria-label': 'States so far' },
			...path.map((entry) => text('li', '', inWords(entry))),
		),
		el(
			'ul',
			{ className: 'rows' },
			...item.signers.map(signerRow),
			...item.documents.map(documentRow),
			item.splitting > 0 &&
				el(
					'li',
					{},
					text('span', 'mark', '⋯'),
					text('span', 'note', 'A bookmarked PDF is being split, which takes about five minutes'),
				),
			item.audit_trail &&
				el(
					'li',
					{},
					text('span', 'mark', '▤'),
					el('a', {
						href: item.audit_trail,
						textContent: 'Audit trail',
						target: '_blank',
						rel: 'noreferrer',
					}),
					item.record && text('span', 'right', `record ${item.record}`),
				),
		),
		assets(item),
		el(
			'div',
			{ className: 'buttons' },
			...offered(item).map((step) => stepButton(item, [step, LABELS[step], ''])),
			...MAIN_STEPS.map((step) => stepButton(item, step)),
		),
		reasons.length > 0 && text('p', 'note reasons', `${reasons.join('. ')}.`),
		more(item),
	);
}

function deliveryRow(entry) {
	const label = entry.code || (entry.attempts > 0 && entry.error ? 'no answer' : '…');
	return el(
		'li',
		{},
		el(
			'div',
			{ className: 'line' },
			text('span', 'event', entry.event),
			text(
				'span',
				`chip ${entry.code === 200 ? 'good' : label === '…' ? 'grey' : 'bad'}`,
				String(label),
			),
		),
		el(
			'div',
			{ className: 'sub' },
			text('span', '', entry.at.slice(11, 19)),
			text('span', 'id', entry.transactionId || entry.notaryId),
			text('span', '', plural(entry.attempts, 'attempt')),
			entry.next && text('span', '', `again at ${entry.next.slice(11, 19)}`),
		),
		el('div', { className: 'sub' }, text('span', '', entry.url)),
		entry.code !== 200 && entry.error && text('div', 'bad-text', entry.error),
	);
}

function notaryRow({ id, name, state: code, county, compliance }) {
	const tones = { compliant: 'good', non_compliant: 'bad', needs_review: 'warm', created: 'grey' };
	return el(
		'li',
		{},
		el(
			'div',
			{ className: 'line' },
			text('span', 'event', name),
			text('span', 'note', `${county}, ${code}`),
			text(
				'span',
				`chip ${tones[compliance]}`,
				compliance === 'created' ? 'new' : VERDICTS[compliance].toLowerCase(),
			),
		),
		el(
			'div',
			{ className: 'buttons small' },
			...Object.entries(VERDICTS)
				.filter(([verdict]) => verdict !== compliance)
				.map(([verdict, label]) =>
					el('button', {
						className: 'quiet',
						textContent: label,
						'aria-label': `${label}: ${name}`,
						'data-key': `${id}/${verdict}`,
						onclick: () => call(`/sandbox/notaries/${id}/${verdict}`),
					}),
				),
		),
	);
}

const empty = (words) => text('p', 'empty', words);

/** Replaces what is inside only when it changed, and keeps the focus. */
function put(id, key, make) {
	if (shown.get(id) === key) return;
	shown.set(id, key);
	const focused = document.activeElement?.getAttribute('data-key');
	$(id).replaceChildren(...make());
	if (focused) document.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function render() {
	const wanted = $('filter').value.trim().toLowerCase();
	const transactions = state.transactions.filter((item) =>
		`${item.name} ${item.id} ${item.status} ${item.detailed_status}`.toLowerCase().includes(wanted),
	);
	$('time').textContent = `${state.now.slice(0, 19).replace('T', ' ')} UTC`;
	$('profile').textContent =
		state.profile === 'full' ? 'full profile' : 'documented interface only';
	$('speed').value = String(state.speed);
	$('transaction-count').textContent = state.transactions.length
		? String(state.transactions.length)
		: '';
	$('delivery-count').textContent = state.deliveries.length ? String(state.deliveries.length) : '';
	put('transactions', stable(transactions), () =>
		transactions.length
			? transactions.map(card)
			: [
					empty(
						wanted
							? 'None matches.'
							: 'None yet. Run a flow that creates a transaction, and it appears here.',
					),
				],
	);
	put('deliveries', stable(state.deliveries), () => [
		state.deliveries.length
			? el('ul', { className: 'card list' }, ...state.deliveries.map(deliveryRow))
			: empty('None yet. Deliveries to your flows are listed here.'),
	]);
	put('webhooks', stable(state.webhooks), () => [
		state.webhooks.length
			? el(
					'ul',
					{ className: 'card list' },
					...state.webhooks.map((hook) =>
						el(
							'li',
							{},
							el(
								'div',
								{ className: 'line' },
								text('span', 'event', hook.url),
								text(
									'span',
									`chip ${hook.enabled ? 'good' : 'grey'}`,
									hook.enabled ? 'enabled' : 'off',
								),
							),
							el(
								'div',
								{ className: 'sub' },
								text('span', '', hook.subscriptions.join(', ')),
								text('span', 'id', hook.id),
							),
						),
					),
				)
			: empty('None yet. Publish a flow that starts with the trigger.'),
	]);
	put('notaries', stable(state.notaries), () => [
		el('ul', { className: 'card list' }, ...state.notaries.map(notaryRow)),
	]);
	$('problems-section').hidden = state.problems.length === 0;
	put('problems', stable(state.problems), () =>
		state.problems.map((problem) => text('li', '', problem)),
	);
}

async function refresh() {
	try {
		state = await (await fetch('/sandbox/state')).json();
		if ($('message').textContent === 'The sandbox does not answer') $('message').textContent = '';
		render();
	} catch {
		$('message').textContent = 'The sandbox does not answer';
	}
}

for (const button of document.querySelectorAll('[data-ahead]'))
	button.onclick = () => call('/sandbox/clock/advance', { seconds: Number(button.dataset.ahead) });
$('speed').onchange = () => call('/sandbox/clock/speed', { speed: Number($('speed').value) });
$('join').onclick = () => call('/sandbox/notaries', {});
$('filter').oninput = () => state && render();
setInterval(refresh, REFRESH_MS);
refresh();
