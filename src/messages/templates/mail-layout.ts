/** A mail's HTML, made from its text. Pure: no image, no font, no address but the mail's own. */

export type MailContent = Readonly<{
  language: string;
  title: string;
  /** What stands between empty lines of the text. */
  paragraphs: readonly string[];
  /** The paragraph that is this link becomes the button, with the link in clear below it. */
  button: Readonly<{ label: string; link: string }> | undefined;
  /** Whose mail it is; last, in small. */
  footer: string;
}>;

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

export function mailHtml(mail: MailContent): string {
  const { language, title, paragraphs, button, footer } = mail;
  const body = paragraphs
    .map((text) =>
      button !== undefined && text.trim() === button.link ? buttonOf(button) : paragraphOf(text),
    )
    .join("\n");
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:0;background:#f6f7f9">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f6f7f9"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #dde1e7;border-radius:12px"><tr><td align="left" style="padding:32px 28px 16px">
<h1 style="margin:0 0 20px;${font};font-size:20px;font-weight:650;line-height:1.3;color:#1a1f27">${escapeHtml(title)}</h1>
${body}
</td></tr></table>
<p style="margin:16px 0 0;${font};font-size:12px;line-height:1.5;color:#596373">${escapeHtml(footer)}</p>
</td></tr></table>
</body>
</html>
`;
}

/** A table, since Outlook gives no padding to links. */
function buttonOf({ label, link }: NonNullable<MailContent["button"]>): string {
  const href = escapeHtml(link);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 12px"><tr>
<td bgcolor="#2457d6" style="border-radius:8px"><a href="${href}" style="display:inline-block;padding:13px 26px;${font};font-size:16px;font-weight:600;line-height:1.25;color:#ffffff;text-decoration:none;border-radius:8px">${escapeHtml(label)}</a></td>
</tr></table>
<p style="margin:0 0 20px;${font};font-size:13px;line-height:1.5;color:#596373;word-break:break-all"><a href="${href}" style="color:#2457d6">${href}</a></p>`;
}

function paragraphOf(text: string): string {
  return (
    `<p style="margin:0 0 16px;${font};font-size:16px;line-height:1.5;color:#1a1f27">` +
    `${escapeHtml(text).replaceAll("\n", "<br>")}</p>`
  );
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (sign) => entities[sign] ?? sign);
}
