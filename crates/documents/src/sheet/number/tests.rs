//! How numbers are shown.

use super::*;

#[test]
fn numbers_are_shown_as_their_format_says() {
    for (code, raw, shown) in [
        ("General", "0.30000000000000004", "0.3"),
        ("General", "1234567.5", "1234567.5"),
        ("General", "12345678901234567890", "12345678901234567890"),
        ("General", "1E-10", "1E-10"),
        ("General", "1.5E3", "1500"),
        ("0", "2.5", "3"),
        ("0.00", "0.615", "0.62"),
        ("0.00", "-0.001", "0.00"),
        ("0.00", "9.999", "10.00"),
        ("0.00", "1.005", "1.01"),
        ("#,##0", "1234567.8", "1,234,568"),
        ("#,##0.00 [$€-407]", "-1234.5", "-1,234.50 €"),
        ("\"$\"#,##0_);[Red]\\(\"$\"#,##0\\)", "1200", "$1,200"),
        ("0%", "0.256", "26%"),
        ("0.0%", "0.07", "7.0%"),
        ("0.##", "1.5", "1.5"),
        ("0.##", "3", "3"),
        ("00000", "1067", "01067"),
        ("0.0,,\"M\"", "1234567", "1.2M"),
        ("# ?/?", "0.5", "0.5"),
        ("0.00E+00", "1234.5", "1234.5"),
        ("000\\-00\\-0000", "123456789", "123456789"),
        ("[>999]#,##0;0", "5", "5"),
        ("@", "5", "5"),
        ("#,##0 \"pieces\"", "1200", "1,200 pieces"),
        ("0", "none", "none"),
        ("#,##0;(#,##0)", "-1200", "-1,200"),
        ("#,##0.00_);[Red]\\(#,##0.00\\)", "-3.5", "-3.50"),
        ("+0%;-0%", "-0.05", "-5%"),
        ("+0%;-0%", "0.05", "+5%"),
        (";;;", "1200", ""),
        // Thousands that are left out, as a column says that is headed "in thousand €".
        ("#,##0,", "1234567", "1,235"),
        ("0.0,", "-1250000", "-1250.0"),
        // Units and currencies.
        ("General\" kg\"", "12.5", "12.5 kg"),
        ("GENERAL", "12.5", "12.5"),
        ("Standard", "46145", "46145"),
        ("0.0\" mg/l\"", "0.25", "0.3 mg/l"),
        ("[$CHF-807] #,##0.00", "1234.5", "CHF 1,234.50"),
        ("_-* #,##0.00\\ \"€\"_-;\\-* #,##0.00\\ \"€\"_-", "-900", "-900.00 €"),
        ("#,##0.00 [$zł-415];[Red]-#,##0.00 [$zł-415]", "-900", "-900.00 zł"),
        // Below nought: in brackets, in red alone, or by a word.
        ("[Red](#,##0)", "1200", "(1,200)"),
        ("#,##0;[Red](#,##0)", "-1200", "-1,200"),
        ("#,##0;[Red]#,##0", "-1200", "-1,200"),
        ("#,##0\" profit\";#,##0\" loss\"", "-1200", "1,200 loss"),
        ("#,##0\" profit\";#,##0\" loss\"", "1200", "1,200 profit"),
        ("0\" days\";(0\" days\")", "-3", "-3 days"),
        // Words in the place of numbers.
        ("\"paid\";\"owed\";\"open\"", "1", "paid"),
        ("\"paid\";\"owed\";\"open\"", "-1", "owed"),
        ("\"paid\";\"owed\";\"open\"", "0", "open"),
        ("0;-0;\"none\"", "0", "none"),
        ("0;;\"none\"", "-4", "-4"),
    ] {
        assert_eq!(Format::of(code).show(raw, false), shown, "{raw} as {code}");
    }
}

#[test]
fn moments_are_shown_in_an_order_that_nobody_takes_for_another() {
    for (code, raw, shown) in [
        ("d.m.yyyy", "46145", "2026-05-03"),
        ("m/d/yy h:mm", "46145.5", "2026-05-03 12:00"),
        ("[$-409]h:mm:ss AM/PM", "0.75", "18:00:00"),
        ("hh:mm", "0.999999", "00:00"),
        ("mmm yy", "46145", "2026-05"),
        ("yyyy", "46145", "2026"),
        ("[$-407]d. mmmm yyyy", "46145", "2026-05-03"),
        ("[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "46145", "2026-05-03"),
        ("[$-409]m/d/yy h:mm AM/PM;@", "46145.5", "2026-05-03 12:00"),
        ("dd/mm/yyyy;@", "46145", "2026-05-03"),
        ("[$-411]ggge\"年\"m\"月\"d\"日\";@", "46145", "2026-05-03"),
        ("TT.MM.JJJJ", "46145", "2026-05-03"),
        ("yyyy", "1", "1900"),
        ("yyyy", "60", "60"),
        ("d.m.yyyy", "61", "1900-03-01"),
        ("yyyy", "-1", "-1"),
        ("yyyy", "1e9", "1000000000"),
        ("[h]:mm", "1.25", "30:00:00"),
        ("\"day\" 0", "3", "day 3"),
    ] {
        assert_eq!(Format::of(code).show(raw, false), shown, "{raw} as {code}");
    }
    assert_eq!(Format::known(14).show("44683", true), "2026-05-03");
    assert_eq!(Format::known(49).show("7", false), "7");
}

proptest::proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn no_code_and_no_number_breaks_it(code in ".{0,30}", number in proptest::num::f64::ANY) {
        let shown = Format::of(&code).show(&number.to_string(), false);
        proptest::prop_assert!(!shown.contains('\n') || code.contains('\n'));
    }

    #[test]
    fn what_is_shown_with_enough_decimals_is_the_number(cents in -1_000_000_000_i64..1_000_000_000) {
        let raw = format!("{}{}.{:02}", if cents < 0 { "-" } else { "" }, cents.abs() / 100, cents.abs() % 100);
        let shown = Format::of("0.00").show(&raw, false);
        proptest::prop_assert_eq!(shown, raw.replace("-0.00", "0.00"));
    }
}
