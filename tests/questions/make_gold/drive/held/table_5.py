"""Questions and answers."""

from ...table import Table, accept, explain, figures, refuse, rejected, these, value, which_person
from ...words import by, during, eq, gt, neg
from ..terms import (
    D,
    F,
    both,
    count_folders,
    creator,
    dirs,
    docs,
    ext,
    fuzzy_file,
    highest,
    inside,
    owner,
    person_is,
    tagged,
    the_file,
    told,
    typed,
    under,
    which_folder,
    yes_no,
)

TABLE = Table()
ask, talk = TABLE.ask, TABLE.talk

ask("attributes-q14", "red folders", dirs(eq("color", "red")), 'find folders where color = "red"')
ask(
    "name_pattern-q01",
    "files whose name starts with backup",
    docs(lambda d: d.name.lower().startswith("backup")),
    'find documents where name starts with "backup"',
)
ask(
    "name_pattern-q03",
    "file names ending in (2).docx",
    docs(lambda d: d.name.lower().endswith("(2).docx")),
    'find documents where name ends with "(2).docx"',
)
ask(
    "name_pattern-q06",
    "img_4* files in Photos/2022",
    docs(lambda d: d.name.lower().startswith("img_4"), inside("Personal/Photos/2022")),
    'find documents where name like "img_4*" and folder = "Photos/2022"',
)
ask(
    "value-q01", "who owns the Sandbox folder?", person_is(lambda: F("Sandbox"), "owner"), 'get folder("Sandbox").owner'
)
ask("value-q04", "who last edited Company Handbook.pdf", person_is(lambda: D("Company Handbook.pdf"), "editor"))
ask(
    "value-q06",
    "is Acme Supply Agreement.docx signed",
    yes_no(lambda: D("Acme Supply Agreement.docx"), True),
    'get document("Acme Supply Agreement.docx").signed',
)
ask(
    "value-q08",
    "total on the roof invoice",
    fuzzy_file("Roof Invoice.pdf", told(lambda: D("Roof Invoice.pdf"), figures(lambda: D("Roof Invoice.pdf").amount))),
    'get document("roof invoice").amount',
)
talk(
    "mt_refine-q03",
    ("photos in Kyoto 2025", docs(typed("Photo"), inside("Kyoto 2025"))),
    ("now without the heics", docs(typed("Photo"), inside("Kyoto 2025"), neg(ext("heic")))),
)
talk(
    "mt_refine-q04",
    (
        "payslips for 2025 in Business > Payroll",
        accept(
            docs(typed("Payslip"), inside("Business/Payroll/2025")),
            docs(typed("Payslip"), under("Business/Payroll"), during("2025")),
        ),
    ),
    (
        "which of those did Tom Baker upload?",
        accept(
            docs(typed("Payslip"), inside("Business/Payroll/2025"), creator("Tom Baker")),
            docs(typed("Payslip"), under("Business/Payroll"), during("2025"), creator("Tom Baker")),
        ),
    ),
)
talk(
    "mt_refine-q07",
    ("letters tagged urgent", docs(typed("Letter"), tagged("urgent"))),
    ("remove the urgent condition, I meant audit", docs(typed("Letter"), tagged("audit"))),
)
talk(
    "mt_refine-q08",
    ("quotes from 2025", docs(typed("Quote"), during("2025"))),
    ("not owned by Carlos", docs(typed("Quote"), during("2025"), neg(owner("Carlos Mendes")))),
    ("make that 2024", docs(typed("Quote"), during("2024"), neg(owner("Carlos Mendes")))),
)
talk(
    "mt_paging-q02",
    ("the 4 largest files in Product Photos", docs(inside("Product Photos"), sort=by("size"), desc=True, limit=4)),
    ("show the next four", docs(inside("Product Photos"), sort=by("size"), desc=True, limit=4, offset=4)),
    ("go back to the first page", docs(inside("Product Photos"), sort=by("size"), desc=True, limit=4)),
)
talk(
    "mt_clarify-q01",
    ("files in Vendors", which_folder("Vendors")),
    ("the one in New Menu", docs(inside("Projects/New Menu/Vendors"))),
)
talk(
    "mt_clarify-q03",
    ("what folders does Dana own?", which_person("Dana Ortiz", "Dana Whitfield")),
    ("Whitfield", dirs(owner("Dana Whitfield"))),
    ("only those without subfolders", dirs(owner("Dana Whitfield"), eq("subfolder_count", 0))),
)
talk(
    "mt_pronoun-q02",
    ("who owns Harvest Grant Application.docx", person_is(lambda: D("Harvest Grant Application.docx"), "owner")),
    ("and who created it?", person_is(lambda: D("Harvest Grant Application.docx"), "creator")),
    ("which receipts did she upload in 2025?", docs(typed("Receipt"), creator("Anne-Marie Dubois"), during("2025"))),
)
talk(
    "mt_pronoun-q04",
    ("newest lease", docs(typed("Lease"), sort=by("created"), desc=True, limit=1)),
    (
        "other files in the same folder",
        accept(
            docs(
                lambda d: (
                    d.folder == highest("created", typed("Lease")).folder
                    and d.id != highest("created", typed("Lease")).id
                )
            ),
            docs(lambda d: d.folder == highest("created", typed("Lease")).folder),
        ),
    ),
)
talk(
    "mt_topic-q02",
    ("receipts in Meals over $300", docs(typed("Receipt"), inside("Meals"), gt("amount", 300))),
    ("how many folders does Aisha Bello own?", count_folders(owner("Aisha Bello"))),
    ("and Grace Kim?", count_folders(owner("Grace Kim"))),
)
talk(
    "mt_pasted_query-q02",
    (
        '{"query": {"bool": {"filter": [{"term": {"commonAttributes.fileExtension": "zip"}}',
        rejected("syntax", "unclosed"),
    ),
    ("ok then just find the zip files in Archive and below", docs(ext("zip"), under("Archive"))),
)
talk(
    "mt_why-q01",
    ("documents in Correspondence", which_folder("Correspondence")),
    ("why do you ask?", explain("previous question", ["several", "more than one", "folders", "41", "40"])),
    ("Globex", docs(inside("Business/Clients/Globex/Correspondence"))),
)
talk(
    "mt_sort-q01",
    ("purchase orders from Lowe's", docs(typed("Purchase Order"), eq("vendor", "Lowe's"))),
    ("most expensive first", docs(typed("Purchase Order"), eq("vendor", "Lowe's"), sort=by("amount"), desc=True)),
    ("and the other way round", docs(typed("Purchase Order"), eq("vendor", "Lowe's"), sort=by("amount"))),
)
talk(
    "mt_sort-q02",
    ("all videos", docs(ext("mp4"))),
    ("sort by size, largest first", docs(ext("mp4"), sort=by("size"), desc=True)),
    ("only the first 3", docs(ext("mp4"), sort=by("size"), desc=True, limit=3)),
)
talk(
    "mt_mixed-q01",
    (
        "where's Roof Invoice.pdf?",
        accept(these(lambda: F("Properties/12 Maple St/Repairs")), value("Repairs"), the_file("Roof Invoice.pdf")),
    ),
    (
        "what else is in there?",
        accept(
            both(inside("Properties/12 Maple St/Repairs"), lambda d: d.name != "Roof Invoice.pdf"),
            both(inside("Properties/12 Maple St/Repairs")),
        ),
    ),
    ("only quotes", accept(docs(inside("Properties/12 Maple St/Repairs"), typed("Quote")))),
    ("delete the first one", refuse("delete")),
)
