//! Connect6 openings with names, from `bench/connect6/openings.tsv`.

const TABLE: &str = include_str!("../../../bench/connect6/openings.tsv");

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    pub id: &'static str,
    /// `black` or `white`.
    pub to_move: &'static str,
    /// From the empty board.
    pub moves: &'static str,
    /// What is known or claimed of it.
    pub known: &'static str,
    pub origin: &'static str,
    /// How it is known.
    pub how: &'static str,
}

/// Every opening, in the table's order.
pub fn all() -> impl Iterator<Item = Opening> {
    TABLE.lines().skip(1).map(|line| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().expect("every row of the table has every column");
        let (id, to_move, moves) = (next(), next(), next());
        Opening { id, to_move, moves, known: next(), origin: next(), how: next() }
    })
}

#[must_use]
pub fn find(id: &str) -> Option<Opening> {
    all().find(|o| o.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jl_game::Game;
    use jl_games::connect6::Connect;

    #[test]
    fn every_opening_can_be_played() {
        let game = Connect::CONNECT6;
        assert_eq!(TABLE.lines().next(), Some("id\tto_move\tmoves\tknown\torigin\thow"));
        for o in all() {
            let (_, position) = game.replay(o.moves).unwrap();
            assert_eq!(game.player_name(position.to_move()).to_lowercase(), o.to_move, "{}", o.id);
            assert_eq!(find(o.id), Some(o), "names are unique");
            assert!(!o.known.is_empty() && !o.origin.is_empty() && !o.how.is_empty(), "{}", o.id);
        }
        assert_eq!(all().count(), 9);
    }
}
