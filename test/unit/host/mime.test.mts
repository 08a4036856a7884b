import MailComposer from 'nodemailer/lib/mail-composer';

import { findSection, formatStructure } from '../../../host/mailbox/imapAnswers.mts';
import { parseMime, readMail } from '../../../host/mailbox/mime.mts';

const compose = async (mail: object) =>
	(await new MailComposer(mail).compile().build()).toString('latin1');

test('a mail is read as it was written: long lines, umlauts, names of files', async () => {
	const text = `${'Zoë schreibt '.repeat(20)}\n-- \nEnde = gut`;
	const html = `<p>${'überfällig – '.repeat(20)}</p>`;
	const subject = `Für Müller: ${'Darlehen '.repeat(12)}`.trim();
	const date = 'Sat, 28 Nov 2026 18:03:50 +0000';
	const mail = { from: 'Zoë <zoe@example.com>', to: 'office@example.com', subject, date };
	const files = [{ filename: 'Löschung "7".pdf', content: 'x' }];
	const read = readMail(await compose({ ...mail, text, html, attachments: files }));
	expect({
		...read,
		text: read.text.replaceAll('\r\n', '\n').trimEnd(),
		html: read.html.trim(),
	}).toEqual({ ...mail, text, html, attachments: ['Löschung "7".pdf'] });
});

test('a section is found by its number, and the structure names the parts in this order', async () => {
	const attachments = [
		{ filename: 'a.pdf', content: 'first' },
		{ filename: 'b.pdf', content: 'second' },
	];
	const raw = await compose({ text: 'Words', html: '<p>Words</p>', attachments });
	expect(findSection(raw, '')).toBe(raw);
	expect(findSection(raw, '1.2')).toContain('<p>Words</p>');
	expect(Buffer.from(findSection(raw, '3'), 'base64').toString()).toBe('second');
	expect(findSection(raw, '2.MIME')).toContain('a.pdf');
	expect(findSection(raw, '7')).toBe('');
	expect(formatStructure(parseMime(raw))).toMatch(
		/^\(\(\("text" "plain".*"html".*"alternative".*"a\.pdf".*"b\.pdf".*"mixed"/,
	);
});
