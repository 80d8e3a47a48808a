//! What is read of HTML.

use super::*;

fn text(page: &str) -> String {
    read(page).unwrap().text
}

#[test]
fn text_is_what_a_browser_shows() {
    assert_eq!(text("<html><title>T</title><body>a <b>b</b>c\n\n d&nbsp;&amp;&lt;e"), "a bc d &<e");
    assert_eq!(text("<html><p>a<p>b<br>c<br><br>d</p>e"), "a\n\nb\nc\n\nd\n\ne");
    assert_eq!(text("<html><script>if(a<b){'</p>'}</script><style>p{}</style>a<!-- b -->"), "a");
    assert_eq!(
        text("<html><div hidden>a<div>b</div></div><p style='display: none'>c</p><i>d</i><img hidden>e"),
        "de"
    );
    assert_eq!(text("<html><noscript>a</noscript><svg><text>b</text></svg><template>c</template>d"), "d");
    // A hidden element whose end is not written swallows nothing that follows.
    assert_eq!(text("<html><p hidden>a<p>b</p>c"), "b\n\nc");
    assert_eq!(text("<html><ul><li hidden>a <b>b</b><li>c</ul>d"), "- c\n\nd");
    assert_eq!(text("<html><div><p hidden>a</div>b"), "b");
    assert_eq!(text("<html><table><tr hidden><td>a<tr><td>b</table>c"), "b\n\nc");
    assert_eq!(text("<html><pre>a\n  b\n\nc</pre>d"), "a\n  b\nc\n\nd");
    assert_eq!(text("<html><textarea><b></textarea>a<plaintext><b>"), "a<b>");
}

#[test]
fn headings_lists_and_tables() {
    assert_eq!(text("<html><h1>A</h1>b<h3>C <i>d</i></h3>e"), "# A\n\nb\n\n### C d\n\ne");
    assert_eq!(
        text("<html><ul><li>a<li><p>b</p><p>c</p><ol><li>d</ol><li>e</ul>f"),
        "- a\n- b\n\nc\n\n  1. d\n- e\n\nf"
    );
    assert_eq!(
        text("<html><table><tr><th>a<th>b<tr><td>c<td><p>d</p><tr><td>e<br>f<td></table>g"),
        "a | b\nc | d\ne f |\n\ng"
    );
    let layout = "<html><table><tr><td><h1>A</h1><table><tr><td>b<td>c</table></td></tr></table>";
    assert_eq!(text(layout), "# A\n\nb | c");
}

#[test]
fn depth_is_counted_for_elements_that_must_end() {
    assert!(read(&format!("<html>{}a", "<p>".repeat(20_000))).is_ok());
    assert!(read(&format!("<html>{}a", "<a id=x />".repeat(20_000))).is_ok());
    assert!(read(&format!("<html>{}a", "<div></div>".repeat(20_000))).is_ok());
    assert_eq!(read(&format!("<html>{}a", "<div>".repeat(20_000))), Err(Fault::TooDeep));
    assert_eq!(read(&"<p>word".repeat(400_000)), Err(Fault::TooMuchText));
}

#[test]
fn what_is_raised_or_struck_keeps_its_meaning() {
    assert_eq!(
        text(
            "<html><p>The plant makes 10<sup>6</sup> bottles and costs $320<sup>1</sup> a day. CO<sub>2</sub> falls."
        ),
        "The plant makes 10^6 bottles and costs $320[1] a day. CO2 falls."
    );
    assert_eq!(
        text("<html><p>x<sup><a href='#fn2'>2</a></sup> y<a href=#n><sup>3</sup></a> z<sup>4</sup>"),
        "x[2] y[3] z^4"
    );
    assert_eq!(text("<html><p>10<span style='vertical-align: super'>6</span>, <span>5</span>"), "10^6, 5");
    assert_eq!(text("<html><p>Price <del>900</del> <s>850 euros</s> 800"), "Price ~~900 850 euros~~ 800");
    // A raised letter that is never ended raises nothing behind its paragraph.
    assert_eq!(text("<html><p>a<sup>1<p>b 5"), "a^1\n\nb 5");
}

#[test]
fn numbers_of_lists_are_those_that_are_shown() {
    assert_eq!(text("<html><ol><li>First<li>Second, see item 1</ol>"), "1. First\n2. Second, see item 1");
    assert_eq!(
        text("<html><ol start=4 type=a><li>x<li value=9>y<li>z<ol type=I><li>deep</ol></ol><ul><li>dot</ul>"),
        "d. x\ni. y\nj. z\n  I. deep\n- dot"
    );
    assert_eq!(
        text("<html><ol style='list-style-type: none'><li>x</ol><ol reversed start=2><li>y<li>z</ol>"),
        "- x\n2. y\n1. z"
    );
    assert_eq!(text("<html><ol><li><h2>Term</h2><p>long"), "## 1. Term\n\n- long");
}

#[test]
fn boxes_formulas_and_merged_cells_are_read() {
    assert_eq!(text("<html><p><input type=checkbox checked>yes<p><input type=radio>no"), "☑ yes\n\n☐ no");
    assert_eq!(
        text("<html><p>It takes 3<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>hours.</p>"),
        "It takes 3 1/2 hours."
    );
    let rows = read("<html><p>So <math><mtable><mtr><mtd>1</mtd></mtr></mtable></math>.</p>").unwrap();
    assert_eq!(rows.text, "So [a formula that is not read].");
    assert_eq!(rows.omitted, [Omitted::Formulas]);
    assert_eq!(text("<html><p>a <math><mi>x<p>b"), "a [a formula that is not read]\n\nb");
    assert_eq!(
        text(
            "<html><table><tr><th colspan=2>2025<th>2026<tr><td rowspan=2>A<td>1<td>2<tr><td>3<td>4</table>"
        ),
        "2025 |  | 2026\nA | 1 | 2\n| 3 | 4"
    );
}

#[test]
fn hostile_lists_and_tables_stay_within_bounds() {
    let wide =
        format!("<html><table>{}</table>a", "<tr><td colspan=9999999 rowspan=9999999>b".repeat(20_000));
    assert_eq!(read(&wide), Err(Fault::TooMuchText));
    let raised = format!("<html><p>a{}", "<sup>1</sup>b".repeat(100_000));
    assert!(read(&raised).is_ok());
    assert!(read(&format!("<html><math>{}1", "<msqrt>".repeat(1_000))).unwrap().text.is_empty());
}
