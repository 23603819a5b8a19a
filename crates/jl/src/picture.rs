//! A Connect6 position with a line of moves numbered on it, as SVG.

use crate::failure::Failure;
use crate::output;
use jl_game::Game;
use jl_games::connect6::{Cell, Connect, Move, Notation};
use jl_value::Player;
use std::fmt::Write;
use std::path::Path;

/// The distance between two lines of the board.
const STEP: usize = 32;

/// Refuses a picture that could not be drawn, before anything is computed for it.
pub fn require(file: &Path, game: &str) -> Result<(), Failure> {
    if game != "connect6" {
        let file = file.display();
        return Err(Failure::usage(format!("--svg {file}: only connect6 is drawn, not {game}")));
    }
    output::require("--svg", file)
}

/// Draws the position after `moves`, and then the stones of `line` with the numbers of its moves.
pub fn draw(file: &Path, moves: &str, line: &[String]) -> Result<(), Failure> {
    let game = Connect::CONNECT6;
    let read = || -> Result<(Vec<Move>, Vec<Move>), jl_game::GameError> {
        let line: Result<Vec<Move>, _> = line.iter().map(|text| game.parse_move(text)).collect();
        Ok((game.replay(moves)?.0, line?))
    };
    let (moves, line) = read().map_err(Failure::run)?;
    let written = std::fs::write(file, svg(&game, &moves, &line));
    written.map_err(|e| Failure::run(format!("cannot write {}: {e}", file.display())))?;
    eprintln!("drew {}", file.display());
    Ok(())
}

fn svg(game: &Connect, moves: &[Move], line: &[Move]) -> String {
    let (width, height) = (STEP * (game.columns() + 1), STEP * (game.rows() + 1));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f2dfb4\"/>\n"
    );
    grid(&mut out, game);
    for (i, mv) in moves.iter().chain(line).enumerate() {
        let number = (i + 1).checked_sub(moves.len()).filter(|&n| n > 0);
        let player = if i.is_multiple_of(2) { Player::First } else { Player::Second };
        for cell in mv.cells() {
            stone(&mut out, game, cell, player, number);
        }
    }
    out + "</svg>\n"
}

fn grid(out: &mut String, game: &Connect) {
    let names = |cell: Cell| game.format_cell(Notation::Pairs, cell);
    for cell in game.cells() {
        let (x, y) = place(game, cell);
        let (column, row) = game.coordinates(cell);
        if row == 0 {
            let top = STEP;
            let _ = writeln!(out, "<path d=\"M{x} {top}V{y}\" stroke=\"#6b5a33\"/>");
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\">{}</text>", y + STEP - 8, &names(cell)[..1]);
        }
        if column == 0 {
            let right = STEP * game.columns();
            let _ = writeln!(out, "<path d=\"M{x} {y}H{right}\" stroke=\"#6b5a33\"/>");
            let _ = writeln!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x - 22, y + 5, &names(cell)[1..]);
        }
    }
}

fn stone(out: &mut String, game: &Connect, cell: Cell, player: Player, number: Option<usize>) {
    let (x, y) = place(game, cell);
    let (fill, ink) = match player {
        Player::First => ("black", "white"),
        Player::Second => ("white", "black"),
    };
    let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"{fill}\" stroke=\"black\"/>");
    if let Some(number) = number {
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\" fill=\"{ink}\">{number}</text>", y + 5);
    }
}

/// Where a cell is in the picture. Rows are counted from the bottom.
fn place(game: &Connect, cell: Cell) -> (usize, usize) {
    let (column, row) = game.coordinates(cell);
    (STEP * (column + 1), STEP * (game.rows() - row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stones_of_the_line_have_numbers() {
        let game = Connect::CONNECT6;
        let line = ["KKLL", "AASS"].map(|text| game.parse_move(text).unwrap());
        let picture = svg(&game, &game.replay("JJ-IHHI-KJLJ").unwrap().0, &line);
        assert_eq!(picture.matches("<circle").count(), 9);
        assert_eq!((picture.matches(">1<").count(), picture.matches(">2<").count()), (2, 2));
        assert!(picture.contains("cx=\"32\" cy=\"608\" r=\"14\" fill=\"black\""), "AA is at the bottom left");
        assert!(picture.contains("cx=\"608\" cy=\"32\" r=\"14\" fill=\"black\""), "SS is at the top right");
        assert!(picture.contains("x=\"352\" y=\"293\" fill=\"black\">1<"), "KK is White's");
    }
}
